import type { Counts } from '@tara/contract/counts';
import { totalCount } from '@tara/contract/total-count';
import { channel } from '@tara/contract/wire/realtime';
import { useEffect } from 'react';
import { create } from 'zustand';
import { afterPause } from '../../lib/after-pause.ts';
import { pushAccount } from '../../lib/push-choice.ts';
import { invalidate, queryOf, useOptional } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { useRefreshAt } from '../../lib/refresh.ts';
import { showTotal } from '../../ui/total.ts';
import { firstCalls, sessionQuery } from '../accounts/index.ts';

/** Whether the counts are read: not before the first sight of the page is done. */
const useIsReading = create<{ isReading: boolean }>(() => ({ isReading: false }));

/** Milliseconds until the counts are read without a socket that announces changes. */
const WITHOUT_SOCKET_MS = 5_000;

/** How much waits for the member; null until it is known. */
export function useCounts(): Counts | null {
  const { isReading } = useIsReading();
  const session = useOptional(sessionQuery);
  return useOptional({
    ...queryOf(firstCalls.counts),
    enabled: isReading && Boolean(session),
    // Every change is received.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The unread messages of each plan chat that has some, by its id. The shell reads them and keeps them true. */
export function useUnreadPlanChats(): ReadonlyMap<string, number> {
  const counts = useOptional({ ...queryOf(firstCalls.counts), enabled: false });
  return new Map(counts?.planChats.map(({ id, unread }) => [id, unread]));
}

/** What waits has changed: a device that gets pushes does not show any longer what was read. */
async function closePushes(): Promise<void> {
  if (pushAccount() === null || !('serviceWorker' in navigator)) return;
  const { closeReadPushes } = await import('../../lib/close-pushes.ts');
  await closeReadPushes();
}

const readCounts = () => {
  closePushes().catch(() => undefined);
  if (useIsReading.getState().isReading) void invalidate(firstCalls.counts);
  else useIsReading.setState({ isReading: true });
};

/** Reads the counts in an idle moment, once for all changes of a moment. */
export const refreshCounts = afterPause(() => {
  if (typeof requestIdleCallback === 'undefined') readCounts();
  else requestIdleCallback(readCounts, { timeout: 2_000 });
});

/** One's lists of chats, the messages of both kinds of chat, one's requests and notifications, and who is hidden by a block. */
const channels = [
  channel.collection('conversationOwners'),
  channel.collection('chats'),
  channel.collection('chatReceipts'),
  channel.collection('planInteractions'),
  channel.notifications,
  'account',
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

/** Keeps the counts true, and their total in the window's title and on the app's icon; the shell calls it, once. */
export function useCountUpdates(isSignedIn: boolean): void {
  const session = useOptional(sessionQuery);
  useRealtime(
    isSignedIn ? channels : [],
    ({ payload }) => {
      refreshCounts();
      // Without the code, the chat itself marks it once it is opened.
      if (session) markReceived(payload, session.profile.id).catch(() => undefined);
    },
    refreshCounts,
  );
  useEffect(() => {
    if (!isSignedIn) return;
    const timer = setTimeout(() => !useIsReading.getState().isReading && refreshCounts(), WITHOUT_SOCKET_MS);
    return () => {
      clearTimeout(timer);
      refreshCounts.cancel();
      useIsReading.setState({ isReading: false });
    };
  }, [isSignedIn]);
  const counts = useCounts();
  useRefreshAt([counts?.changesAt ?? null], () => invalidate(firstCalls.counts));
  const total = isSignedIn ? counts && totalCount(counts) : 0;
  useEffect(() => {
    // Until it is known, the icon keeps what it showed last.
    if (total !== null) showTotal(total);
  }, [total]);
}
