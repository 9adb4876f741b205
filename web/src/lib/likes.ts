import { useMutation } from '@tanstack/react-query';
import type { Likes } from '@tara/contract/posts/likes';
import { showErrorToast } from './call.ts';
import { queryClient } from './queries.ts';

/** A record that members like. */
type Liked = Likes & { id: string };

interface LikeOptions {
  record: Liked;
  /** Where the records are cached: the likes show in all of them. */
  cache: {
    likeKey: (id: string) => readonly string[];
    change: (id: string, likes: Likes) => void;
  };
  /** Makes one of the calls of likes; resolves with the server's count. */
  send: (call: 'like' | 'unlike', totalLikes: number) => Promise<Likes>;
}

/**
 * Likes a record, or takes that back (§4): an optimistic update on all screens, rolled back if the server refuses.
 * Presses are ignored on every screen while a call for the same record is pending.
 */
export function useLike({ record: { id, liked, totalLikes }, cache, send }: LikeOptions): () => void {
  const mutationKey = cache.likeKey(id);
  const like = useMutation({
    mutationKey,
    mutationFn: ({ wanted }: { wanted: Likes; before: Likes }) =>
      send(wanted.liked ? 'like' : 'unlike', wanted.totalLikes),
    onMutate: ({ wanted }) => cache.change(id, wanted),
    onSuccess: (counted) => cache.change(id, { liked: counted.liked, totalLikes: counted.totalLikes }),
    onError: (error, variables) => {
      cache.change(id, variables.before);
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
