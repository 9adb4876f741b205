import type { Counts } from '@tara/contract/counts';
import {
  type InteractionListName,
  interactionLists,
  openStages,
  type Party,
  type Stage,
} from '@tara/contract/interactions/stages';
import { countLimit } from '@tara/contract/limits';
import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { interactions, isOpen, waitingAt, waitingFor } from '../interactions/index.ts';
import { chatEntries } from '../messages/index.ts';
import { unreadNotifications } from '../notifications/index.ts';
import { receipts } from '../receipts/index.ts';
import { visibleTo } from '../visibility/index.ts';

type Side = Exclude<Party, 'other'>;

/** Each list of requests by party, with the open ones of its stages. */
const lists = (Object.keys(interactionLists) as InteractionListName[]).flatMap((name) => {
  const { side, stages }: { side: readonly Side[]; stages: readonly Stage[] } = interactionLists[name];
  const open = stages.filter((stage) => openStages.some((other) => other === stage));
  return side.map((party) => ({ name, party, open }));
});

const union = (parts: SQL[]): SQL => sql.join(parts, sql` union all `);
const names = (name: InteractionListName): SQL => sql.raw(`'${name}' as list`);

type Row = Pick<Counts, 'conversations' | 'messageRequests' | 'notifications' | 'planChats'> & {
  planLists: Partial<Counts['planLists']>;
  changesAt: string | null;
};

/**
 * What `readCounts` asks: of stored states and read positions. It reads the requests that are open,
 * and of the chats those that are unread, so that what is over costs nothing; each part stops at `countLimit`.
 */
export function countsStatement(viewer: Viewer): SQL {
  const { profileId } = viewer;
  const isUnread = and(
    eq(chatEntries.memberId, profileId),
    gt(chatEntries.incoming, chatEntries.incomingRead),
    visibleTo(viewer, chatEntries.otherId),
  );
  const waiting = lists.map(
    ({ name, party, open }) => sql`(
      select ${names(name)}, 1 as count from ${interactions}
      where ${waitingFor(viewer, party, open)} limit ${countLimit})`,
  );
  const openChats = lists.map(
    ({ name, party, open }) => sql`
      select ${receipts.id} as id, ${names(name)} from ${interactions}
      join ${receipts} on ${eq(receipts.interactionId, interactions.id)}
      where ${eq(party === 'creator' ? interactions.creatorId : interactions.clientId, profileId)}
        and ${isOpen()} and ${inArray(interactions.stage, open)}`,
  );
  const chatsIn = (list: 'conversations' | 'requests') => sql`(
    select count(*)::int from (
      select 1 as one from ${chatEntries} where ${and(isUnread, eq(chatEntries.listedIn, list))} limit ${countLimit}) as counted)`;
  // It begins with 'select', so that connections keep its plan. What is read of requests and of lists of chats is apart: on
  // a Citus cluster the lists are distributed by member.
  return sql`
    select counted.* from (
      with
      -- The requests that wait for the member, by list.
      waiting as materialized (${union(waiting)}),
      -- The chats of all open requests of the member.
      open_chats as materialized (${union(openChats)}),
      -- Those with unread messages: each is looked up by itself, however many others there are.
      unread_chats as materialized (
        select open_chats.id, list, unread, updated_at from open_chats cross join lateral (
          select ${chatEntries.incoming} - ${chatEntries.incomingRead} as unread, ${chatEntries.updatedAt}
          from ${chatEntries} where ${isUnread} and ${chatEntries.chatId} = open_chats.id limit 1) as entry
      ),
      by_list as (
        select list, least(sum(count), ${countLimit})::int as count
        from (select list, count from waiting union all select list, unread from unread_chats) as counted group by list
      ),
      -- When a request next begins to wait by the clock alone.
      next_change as materialized (select ${waitingAt(viewer)} as time),
      unread_notifications as materialized (
        select count(*)::int as count from (${unreadNotifications(viewer)}) as unread
      )
      select (select coalesce(json_object_agg(list, count), '{}') from by_list) as "planLists",
        (select coalesce(json_agg(json_build_object('id', id, 'unread', unread) order by updated_at desc), '[]') from (
          select * from unread_chats order by updated_at desc limit ${countLimit}) as newest) as "planChats",
        ${chatsIn('conversations')} as conversations, ${chatsIn('requests')} as "messageRequests",
        (select count from unread_notifications) as notifications,
        (select time from next_change) as "changesAt") as counted`;
}

/** How much waits for a member. */
export async function readCounts(database: Database, viewer: Viewer): Promise<Counts> {
  const [row] = await database.execute<Row>(countsStatement(viewer));
  if (!row) throw new Error('the counts are missing');
  const { planLists, changesAt, ...others } = row;
  const known = { friendRequest: 0, yourRequest: 0, earn: 0, expense: 0, history: 0, ...planLists };
  const plans = Object.values(known).reduce((sum, count) => sum + count, 0);
  return {
    ...others,
    plans: Math.min(plans, countLimit),
    planLists: known,
    changesAt: changesAt === null ? null : new Date(changesAt).toISOString(),
  };
}
