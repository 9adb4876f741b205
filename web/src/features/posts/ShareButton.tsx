import type { Post } from '@tara/contract/posts';
import { Share2 } from 'lucide-react';
import { IconButton } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { currentSession } from '../accounts/index.ts';

type Shared = Pick<Post, 'id' | 'creatorId'>;

/** Shares the link of a post: by the system's own sheet where there is one, otherwise it is copied. */
export function ShareButton({ post }: { post: Shared }) {
  return (
    <IconButton label="Share" onClick={() => void shareLink(post)}>
      <Icon of={Share2} size={22} />
    </IconButton>
  );
}

async function shareLink({ id, creatorId }: Shared): Promise<void> {
  const url = `${location.origin}/post/${id}`;
  const data = { title: 'A post on Tara', url };
  if (navigator.canShare?.(data)) {
    try {
      await navigator.share(data);
      return;
    } catch (error) {
      // The person closed the sheet; any other failure leaves copying.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    // Copying can be forbidden, and is on pages without https.
    toast({ title: 'The link could not be copied.', text: url, tone: 'danger' });
    return;
  }
  const profile = (await currentSession())?.profile;
  const isHidden = profile?.id === creatorId && !profile.sharesPosts;
  toast({
    title: 'The link is copied.',
    tone: 'success',
    ...(isHidden
      ? { text: 'Who is not signed in sees nothing of your post. You can change that in your profile.' }
      : {}),
  });
}
