import { useMutation } from '@tanstack/react-query';
import { showErrorToast } from './failure.ts';
import { queryClient } from './queries.ts';

interface Likes {
  liked: boolean;
  totalLikes: number;
}

interface LikeOptions {
  /** Names the likes of one record, so that presses are ignored on every screen while a call is pending. */
  mutationKey: readonly string[];
  current: Likes;
  /** Likes or unlikes the record, as `wanted.liked` says; answers the server's count. */
  send: (wanted: Likes) => Promise<Likes>;
  /** Shows the likes everywhere. */
  show: (likes: Likes) => void;
}

/**
 * Likes or unlikes a record (§4): an optimistic update on all screens, rolled back if the server refuses. Presses are
 * ignored while a call for the same record is pending.
 */
export function useLike({
  mutationKey,
  current: { liked, totalLikes },
  send,
  show,
}: LikeOptions): () => void {
  const like = useMutation({
    mutationKey,
    mutationFn: ({ wanted }: { wanted: Likes; before: Likes }) => send(wanted),
    onMutate: ({ wanted }) => show(wanted),
    onSuccess: (counted) => show({ liked: counted.liked, totalLikes: counted.totalLikes }),
    onError: (error, variables) => {
      show(variables.before);
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
