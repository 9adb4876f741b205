import { useMutation } from '@tanstack/react-query';
import { notices } from '@tara/contract/notices';
import { type Post, posts } from '@tara/contract/posts';
import { Bookmark, Heart } from 'lucide-react';
import { call } from '../../lib/call.ts';
import { isProblem, showErrorToast } from '../../lib/failure.ts';
import { queryClient, useCall } from '../../lib/queries.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toast.ts';
import { changePost, likeKey } from './post-cache.ts';

const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** The like and save buttons, for cards and for the post's own page. */
export function PostActions({ post, className }: { post: Post; className?: string }) {
  return (
    <div className={cx('flex items-center justify-between', className)}>
      <LikeButton post={post} />
      <SaveButton post={post} />
    </div>
  );
}

function LikeButton({ post }: { post: Post }) {
  const { liked, totalLikes } = post;
  const press = useLike(post);
  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={`Like, ${totalLikes} ${totalLikes === 1 ? 'like' : 'likes'}`}
      onClick={press}
      className={cx(
        'figures flex min-h-11 min-w-11 items-center gap-2 rounded-full px-3 font-semibold transition-colors hover:bg-sunken',
        liked ? 'text-guava' : 'text-ink-soft hover:text-ink',
      )}
    >
      <Icon of={Heart} size={22} filled={liked} className={liked ? 'animate-beat' : undefined} />
      {count.format(totalLikes)}
    </button>
  );
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

type Likes = Pick<Post, 'liked' | 'totalLikes'>;

/** Likes or unlikes a post (§4): an optimistic update on all screens, rolled back if the server refuses. Presses
 * are ignored while a call for the same post is pending.
 */
function useLike({ id, liked, totalLikes }: Likes & Pick<Post, 'id'>): () => void {
  const mutationKey = likeKey(id);
  const like = useMutation({
    mutationKey,
    mutationFn: ({ wanted }: { wanted: Likes; before: Likes }) =>
      call(wanted.liked ? posts.like : posts.unlike, {
        body: { postId: id, totalLikes: wanted.totalLikes },
      }),
    onMutate: ({ wanted }) => changePost(id, wanted),
    onSuccess: (counted) => changePost(id, { liked: counted.liked, totalLikes: counted.totalLikes }),
    onError: (error, variables) => {
      changePost(id, variables.before);
      showErrorToast(error, () => like.mutate(variables));
    },
  });
  return () => {
    if (queryClient.isMutating({ mutationKey }) > 0) return;
    like.mutate({
      wanted: { liked: !liked, totalLikes: Math.max(0, totalLikes + (liked ? -1 : 1)) },
      before: { liked, totalLikes },
    });
  };
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
