import type { UnreadTotals } from '@tara/contract/messages';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { visibleTo } from '../visibility/index.ts';
import { chatEntries, chats } from './tables.ts';

/** Whether a chat is in its member's list: not hidden since its newest message. */
export const isListed = gt(chatEntries.lastSequence, chatEntries.hiddenThrough);

/** Whether a chat is a message request that waits for its member's answer; one that was ignored stands in no list. */
export const isRequest = sql<boolean>`(${chats.awaitsId} is not null and ${chats.awaitsId} = ${chatEntries.memberId})`;

/** What is unread in the viewer's chats of each kind, and the message requests that wait for an answer. */
export async function countUnread(database: Database, viewer: Viewer): Promise<UnreadTotals> {
  const unread = sql`greatest(0, ${chatEntries.incoming} - ${chatEntries.incomingRead})`;
  const [totals] = await database
    .select({
      conversations: sql<number>`coalesce(sum(${unread})
        filter (where ${chatEntries.kind} = 'conversation' and not ${isRequest}), 0)::int`,
      receipts: sql<number>`coalesce(sum(${unread}) filter (where ${chatEntries.kind} = 'receipt'), 0)::int`,
      requests: sql<number>`(count(*) filter (where ${isRequest} and not ${chatEntries.ignored}))::int`,
    })
    .from(chatEntries)
    .innerJoin(chats, eq(chats.id, chatEntries.chatId))
    .where(
      and(
        eq(chatEntries.memberId, viewer.profileId),
        isListed,
        gt(chatEntries.incoming, chatEntries.incomingRead),
        visibleTo(viewer, chatEntries.otherId),
      ),
    );
  return totals ?? { conversations: 0, receipts: 0, requests: 0 };
}
