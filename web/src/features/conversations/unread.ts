import type { Unread } from '@tara/contract/messages/messages';
import { channel } from '@tara/contract/wire/realtime';
import { useEffect } from 'react';
import { create } from 'zustand';
import { afterPause } from '../../lib/after-pause.ts';
import { invalidate, queryOf, useOptional } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { useTitleCount } from '../../ui/Page.tsx';
import { firstCalls, sessionQuery } from '../accounts/index.ts';

/** Whether the totals are read: not before the first sight of the page is done. */
const useIsReading = create<{ isReading: boolean }>(() => ({ isReading: false }));

/** Milliseconds until the totals are read without a socket that announces changes. */
const WITHOUT_SOCKET_MS = 5_000;

/** The unread messages of the member; null until they are known. */
export function useUnreadTotals(): Unread | null {
  const { isReading } = useIsReading();
  const session = useOptional(sessionQuery);
  return useOptional({
    ...queryOf(firstCalls.unread),
    enabled: isReading && Boolean(session),
    // Every change is received.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const readTotals = () => {
  if (useIsReading.getState().isReading) void invalidate(firstCalls.unread);
  else useIsReading.setState({ isReading: true });
};

/** Reads the totals in an idle moment, once for all changes of a moment. */
export const refreshUnread = afterPause(() => {
  if (typeof requestIdleCallback === 'undefined') readTotals();
  else requestIdleCallback(readTotals, { timeout: 2_000 });
});

/** The rows of one's lists of chats, and the messages of both kinds of chat. */
const channels = [
  channel.collection('conversationOwners'),
  channel.collection('chats'),
  channel.collection('chatReceipts'),
];

/** A message that arrived, wherever its chat is shown, was received. Marks are in a chunk that the first load does without. */
async function markReceived(
  { chatId, sequence, userId }: Record<string, unknown>,
  ownId: string,
): Promise<void> {
  if (typeof chatId !== 'string' || typeof sequence !== 'number' || userId === ownId) return;
  const { markDelivered } = await import('../messages/index.ts');
  markDelivered(chatId, sequence);
}

/** Keeps the totals and the window's title true; the shell calls it, once. */
export function useUnreadUpdates(isSignedIn: boolean): void {
  const session = useOptional(sessionQuery);
  useRealtime(
    isSignedIn ? channels : [],
    ({ payload }) => {
      refreshUnread();
      // Without the code, the chat itself marks it once it is opened.
      if (session) markReceived(payload, session.profile.id).catch(() => undefined);
    },
    refreshUnread,
  );
  useEffect(() => {
    if (!isSignedIn) return;
    const timer = setTimeout(() => !useIsReading.getState().isReading && refreshUnread(), WITHOUT_SOCKET_MS);
    return () => {
      clearTimeout(timer);
      refreshUnread.cancel();
      useIsReading.setState({ isReading: false });
    };
  }, [isSignedIn]);
  const totals = useUnreadTotals();
  const count = totals && isSignedIn ? totals.conversations + totals.receipts + totals.requests : 0;
  useEffect(() => useTitleCount.setState({ count }), [count]);
}
