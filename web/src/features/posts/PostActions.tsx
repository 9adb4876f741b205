import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { notices } from '@tara/contract/notices';
import { type Post, posts } from '@tara/contract/posts';
import { Bookmark } from 'lucide-react';
import { call } from '../../lib/call.ts';
import { isProblem, showErrorToast } from '../../lib/failure.ts';
import { queryClient } from '../../lib/queries.ts';
import { useLike } from '../../lib/record-cache.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { compactCount, LikeButton } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { changePost, likeKey } from './post-cache.ts';
import { ShareButton } from './ShareButton.tsx';

interface PostActionsProps {
  post: Post;
  /** The viewer is its creator: the count leads to who likes it. */
  isOwn?: boolean;
  className?: string;
}

/** The like and save buttons, for cards and for the post's own page. */
export function PostActions({ post, isOwn = false, className }: PostActionsProps) {
  const showsLikers = isOwn && post.totalLikes > 0;
  return (
    <div className={cx('flex items-center gap-1', className)}>
      <PostLikeButton post={post} hidesCount={showsLikers} />
      {showsLikers && (
        <Link
          to="/post/$id/likes"
          params={{ id: post.id }}
          aria-label={`${likesText(post.totalLikes)}: see who likes it`}
          className="figures flex min-h-11 items-center rounded-full px-3 font-semibold text-ink-soft transition-colors hover:bg-sunken hover:text-ink"
        >
          {likesText(post.totalLikes)}
        </Link>
      )}
      <span className="flex-1" />
      <ShareButton post={post} />
      <SaveButton post={post} />
    </div>
  );
}

const likesText = (total: number) => `${compactCount(total)} ${total === 1 ? 'like' : 'likes'}`;

/** Likes or unlikes a post (§4). */
export function useLikePost(post: Post): () => void {
  const { id } = post;
  return useLike({
    mutationKey: likeKey(id),
    current: post,
    send: (wanted) =>
      call(wanted.liked ? posts.like : posts.unlike, {
        body: { postId: id, totalLikes: wanted.totalLikes },
      }),
    show: (likes) => changePost(id, likes),
  });
}

function PostLikeButton({ post, hidesCount }: { post: Post; hidesCount: boolean }) {
  const press = useLikePost(post);
  const { liked, totalLikes } = post;
  return <LikeButton liked={liked} totalLikes={totalLikes} hidesCount={hidesCount} onPress={press} />;
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

/**
 * Saves a post or takes it off the saved ones (§4): an optimistic update, rolled back on failure. A post that was saved
 * meanwhile elsewhere stays saved and shows a notice (§5). The list of saved posts is fetched anew when it is next shown.
 */
function useSave({ id, saved }: Pick<Post, 'id' | 'saved'>): () => void {
  const save = useMutation({
    mutationFn: ({ wanted }: { wanted: boolean }) =>
      call(wanted ? posts.save : posts.unsave, { body: { postId: id } }),
    onMutate: ({ wanted }) => changePost(id, { saved: wanted }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: posts.saved.key, refetchType: 'none' }),
    onError: (error, variables) => {
      if (isProblem(error, 'post_already_saved')) return showDuplicateNotice();
      changePost(id, { saved: !variables.wanted });
      showErrorToast(error, () => save.mutate(variables));
    },
  });
  return () => {
    if (!save.isPending) save.mutate({ wanted: !saved });
  };
}
