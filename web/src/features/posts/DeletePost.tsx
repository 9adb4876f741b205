import { useNavigate } from '@tanstack/react-router';
import { areYouSure } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../lib/queries.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { toast } from '../../ui/toast.ts';
import { removePost } from './post-cache.ts';

/** Removes one's own post and its picture, after asking; then to `/` (§2). */
export function DeletePost({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useCall(posts.delete, {
    onSuccess: async () => {
      setAsking(false);
      await navigate({ to: '/', replace: true });
      removePost(id);
      toast({ title: 'Your post is deleted.', tone: 'success' });
    },
  });
  return (
    <>
      <IconButton label="Delete post" onClick={() => setAsking(true)}>
        <Icon of={Trash2} />
      </IconButton>
      <ConfirmDialog
        {...areYouSure.deletePost}
        open={asking}
        onOpenChange={setAsking}
        tone="danger"
        confirmLabel="Delete"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ body: { postId: id } })}
      />
    </>
  );
}
