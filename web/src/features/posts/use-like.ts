import { useMutation } from '@tanstack/react-query';
import { type Post, posts } from '@tara/contract/posts';
import { call } from '../../lib/call.ts';
import { tellFailure } from '../../lib/failure.ts';
import { queryClient } from '../../lib/queries.ts';
import { changePost } from './post-cache.ts';

type Likes = Pick<Post, 'liked' | 'totalLikes'>;

/**
 * Likes a post and takes it back (§4): shown at once on every screen, put back when the server refuses. Presses
 * are ignored while one is under way, wherever it was pressed.
 */
export function useLike({ id, liked, totalLikes }: Likes & Pick<Post, 'id'>): () => void {
  const mutationKey = ['like', id];
  const like = useMutation({
    mutationKey,
    mutationFn: ({ wanted }: { wanted: Likes; before: Likes }) =>
      call(wanted.liked ? posts.like : posts.unlike, {
        body: { postId: id, totalLikes: wanted.totalLikes },
      }),
    onMutate: ({ wanted }) => changePost(id, wanted),
    onSuccess: (counted) => changePost(id, { liked: counted.liked, totalLikes: counted.totalLikes }),
    onError: (error, asked) => {
      changePost(id, asked.before);
      tellFailure(error, () => like.mutate(asked));
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
