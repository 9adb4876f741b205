import { useEffect } from 'react';
import { openOutboxes, storedOutboxes } from '../lib/outbox-storage.ts';

/** The code of the outboxes, by their names: a load of the page goes on with those in which something waits. */
const outboxes: Record<string, () => Promise<unknown>> = {
  messages: () => import('../features/messages/outbox.ts'),
  comments: () => import('../features/reviews/comment-outbox.ts'),
  postLikes: () => import('../features/posts/PostActions.tsx'),
  reviewLikes: () => import('../features/reviews/review-cache.ts'),
};

function loadOutboxes(): void {
  // Should the code not load now, the screen that needs it goes on.
  for (const name of storedOutboxes()) outboxes[name]?.().catch(() => undefined);
}

/** Opens the outboxes of the account that is signed in, and goes on with what an earlier load or another tab left in them. */
export function useOutboxes(accountId: string | undefined): void {
  useEffect(() => {
    openOutboxes(accountId ?? null);
    if (accountId === undefined) return;
    loadOutboxes();
    addEventListener('storage', loadOutboxes);
    addEventListener('online', loadOutboxes);
    return () => {
      removeEventListener('storage', loadOutboxes);
      removeEventListener('online', loadOutboxes);
    };
  }, [accountId]);
}
