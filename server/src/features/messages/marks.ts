import type { ReadMark } from '@tara/contract/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { announceChatEvent, announceEntry } from './announce.ts';
import { type MarkRow, presentChat } from './present.ts';
import { findChat } from './read.ts';
import { chatEntries, chatMarks, chats, messages } from './tables.ts';

type MarkContext = Pick<Platform, 'database' | 'bus'>;
type NewMark = { delivered?: number | undefined; read?: number | undefined };

type Raised = Pick<MarkRow, 'delivered' | 'read' | 'incomingRead'> & {
  /** Messages of others in the chat as of then. */
  incoming: number;
};

/** Raises the mark of a member to the given sequences; null when it is there already. */
async function raiseMark(
  { database }: MarkContext,
  chatId: string,
  memberId: string,
  { delivered = 0, read = 0 }: NewMark,
): Promise<Raised | null> {
  const [raised] = await database.execute<Raised>(sql`
    with
    -- No further than the newest message.
    target as (
      select least(${read}::int, last_sequence) as read,
        least(greatest(${read}::int, ${delivered}::int), last_sequence) as delivered, first_id = ${memberId} as is_first,
        last_sequence - case when first_id = ${memberId} then first_count else second_count end as total
      from ${chats} where id = ${chatId}
    ),
    -- How many messages of others are among those read.
    counted as (
      select target.*, coalesce(sequence - case when is_first then first_count else second_count end, 0) as incoming
      from target left join ${messages} on chat_id = ${chatId} and sequence = target.read
    )
    update ${chatMarks} set
      delivered = greatest(chat_marks.delivered, counted.delivered), read = greatest(chat_marks.read, counted.read),
      incoming_read = greatest(incoming_read, incoming), updated_at = now()
    from counted
    where chat_id = ${chatId} and member_id = ${memberId}
      and (chat_marks.read < counted.read or chat_marks.delivered < counted.delivered)
    returning chat_marks.delivered, chat_marks.read, incoming_read as "incomingRead", counted.total as incoming`);
  return raised ?? null;
}

/**
 * Stores how far the viewer received and read a chat, and announces it to the other where both show read marks. Marks
 * beyond the newest message stop there; they never fall. @throws Problem `chat_not_found`
 */
export async function markChat(
  context: MarkContext,
  viewer: Viewer,
  chatId: string,
  mark: NewMark,
): Promise<ReadMark & { unread: number }> {
  const { database } = context;
  const { profileId, accountId } = viewer;
  const { row, marks } = await findChat(database, viewer, chatId);
  const raised = await raiseMark(context, chatId, profileId, mark);
  const before = marks.find(({ memberId }) => memberId === profileId);
  const own = before && { ...before, ...raised };
  // Also when nothing rose: a list that a crash left behind is right from then on.
  await database
    .update(chatEntries)
    .set({
      read: sql`greatest(${chatEntries.read}, ${own?.read ?? 0})`,
      incomingRead: sql`greatest(${chatEntries.incomingRead}, ${own?.incomingRead ?? 0})`,
    })
    .where(and(eq(chatEntries.memberId, profileId), eq(chatEntries.chatId, chatId)));
  const all = [...marks.filter(({ memberId }) => memberId !== profileId), ...(own ? [own] : [])];
  const chat = presentChat(row, all, profileId, false);
  // Also counts what arrived since the chat was read; another device may have marked more meanwhile.
  const unread = raised ? Math.max(0, raised.incoming - raised.incomingRead) : chat.unread;
  if (raised) {
    const otherAccountId = row.firstId === profileId ? row.secondAccountId : row.firstAccountId;
    const isShown = all.every(({ showsRead }) => showsRead) && chat.request !== 'received';
    const event = { mark: { memberId: profileId, ...chat.own } };
    if (isShown)
      announceChatEvent(context, row, event, { accountIds: [otherAccountId], memberId: profileId });
    announceEntry(context, { accountId, profileId }, { chatId, ...chat.own, unread });
  }
  return { ...chat.own, unread };
}

/** Shows or hides a member's read marks in every chat of theirs. */
export async function showReadMarks(
  transaction: Transaction,
  memberId: string,
  showsRead: boolean,
): Promise<void> {
  await transaction.update(chatMarks).set({ showsRead }).where(eq(chatMarks.memberId, memberId));
}
