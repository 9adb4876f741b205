import { notices } from '@tara/contract/notices';
import { type Post, posts } from '@tara/contract/posts';
import { Bookmark } from 'lucide-react';
import { call } from '../../lib/call.ts';
import { isProblem, showErrorToast } from '../../lib/failure.ts';
import { useCall } from '../../lib/queries.ts';
import { useLike } from '../../lib/use-like.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import { LikeButton } from '../../ui/LikeButton.tsx';
import { toast } from '../../ui/toast.ts';
import { changePost, likeKey } from './post-cache.ts';
import { ShareButton } from './ShareButton.tsx';

/** The like and save buttons, for cards and for the post's own page. */
export function PostActions({ post, className }: { post: Post; className?: string }) {
  return (
    <div className={cx('flex items-center gap-1 [&>:first-child]:mr-auto', className)}>
      <PostLikeButton post={post} />
      <ShareButton post={post} />
      <SaveButton post={post} />
    </div>
  );
}

function PostLikeButton({ post }: { post: Post }) {
  const { id, liked, totalLikes } = post;
  const press = useLike({
    mutationKey: likeKey(id),
    current: post,
    send: (wanted) =>
      call(wanted.liked ? posts.like : posts.unlike, {
        body: { postId: id, totalLikes: wanted.totalLikes },
      }),
    show: (likes) => changePost(id, likes),
  });
  return <LikeButton liked={liked} totalLikes={totalLikes} onPress={press} />;
}

function SaveButton({ post }: { post: Post }) {
  const press = useSave(post);
  return (
    <IconButton
      label={post.saved ? 'Saved' : 'Save'}
      pressed={post.saved}
      onClick={press}
      className={post.saved ? 'text-ink!' : undefined}
    >
      <Icon of={Bookmark} size={22} filled={post.saved} />
    </IconButton>
  );
}

const showDuplicateNotice = () => toast(notices.duplicateSave);

/** Saves a post (§4): an optimistic update, rolled back on failure. A saved post stays saved and shows a notice (§5). */
function useSave({ id, saved }: Pick<Post, 'id' | 'saved'>): () => void {
  const body = { postId: id };
  const save = useCall(posts.save, {
    quiet: true,
    onMutate: () => changePost(id, { saved: true }),
    onError: (error) => {
      // Already saved, e.g. in another tab.
      if (isProblem(error, 'post_already_saved')) return showDuplicateNotice();
      changePost(id, { saved: false });
      showErrorToast(error, () => save.mutate({ body }));
    },
  });
  return () => {
    if (save.isPending) return;
    if (saved) showDuplicateNotice();
    else save.mutate({ body });
  };
}
