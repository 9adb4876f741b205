import { countedRequests } from '@tara/contract/limits';
import type { UnreadTotals } from '@tara/contract/messages';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { visibleTo } from '../visibility/index.ts';
import { chatEntries } from './tables.ts';

/** What is unread in the viewer's chats of each kind, and the message requests that wait for an answer, 100 at most. */
export async function countUnread(database: Database, viewer: Viewer): Promise<UnreadTotals> {
  const unreadIn = (list: keyof UnreadTotals) =>
    and(
      eq(chatEntries.memberId, viewer.profileId),
      eq(chatEntries.listedIn, list),
      gt(chatEntries.incoming, chatEntries.incomingRead),
      visibleTo(viewer, chatEntries.otherId),
    );
  const sumOf = (list: keyof UnreadTotals) => sql<number>`(
    select coalesce(sum(${chatEntries.incoming} - ${chatEntries.incomingRead}), 0)::int from ${chatEntries}
    where ${unreadIn(list)})`;
  const [totals] = await database.execute<Record<keyof UnreadTotals, number>>(sql`
    select ${sumOf('conversations')} as conversations, ${sumOf('receipts')} as receipts, (
      select count(*)::int from (
        select from ${chatEntries} where ${unreadIn('requests')} limit ${countedRequests}) as counted) as requests`);
  return totals ?? { conversations: 0, receipts: 0, requests: 0 };
}
