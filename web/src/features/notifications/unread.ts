import { channel } from '@tara/contract/wire/realtime';
import { useEffect } from 'react';
import { create } from 'zustand';
import { afterPause } from '../../lib/after-pause.ts';
import { invalidate, queryOf, useOptional } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { firstCalls, sessionQuery } from '../accounts/index.ts';

/** Whether the count is read: not before the first sight of the page is done. */
const useIsReading = create<{ isReading: boolean }>(() => ({ isReading: false }));

/** Milliseconds until the count is read without a socket that announces changes. */
const WITHOUT_SOCKET_MS = 5_000;

/** How many notifications the member has not read, counted up to 100; null until it is known. */
export function useUnreadNotifications(): number | null {
  const { isReading } = useIsReading();
  const session = useOptional(sessionQuery);
  const unread = useOptional({
    ...queryOf(firstCalls.unreadNotifications),
    enabled: isReading && Boolean(session),
    // Every change is received.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return unread?.count ?? null;
}

const readCount = () => {
  if (useIsReading.getState().isReading) void invalidate(firstCalls.unreadNotifications);
  else useIsReading.setState({ isReading: true });
};

/** Reads the count in an idle moment, once for all changes of a moment. */
const refreshCount = afterPause(() => {
  if (typeof requestIdleCallback === 'undefined') readCount();
  else requestIdleCallback(readCount, { timeout: 2_000 });
});

/** Keeps the count of the bell true; the shell calls it, once. */
export function useNotificationUpdates(isSignedIn: boolean): void {
  useRealtime(isSignedIn ? [channel.notifications] : [], refreshCount, refreshCount);
  useEffect(() => {
    if (!isSignedIn) return;
    const timer = setTimeout(() => !useIsReading.getState().isReading && refreshCount(), WITHOUT_SOCKET_MS);
    return () => {
      clearTimeout(timer);
      refreshCount.cancel();
      useIsReading.setState({ isReading: false });
    };
  }, [isSignedIn]);
}
