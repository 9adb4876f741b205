import { pageSize } from '@tara/contract/limits';
import {
  type Chat,
  type ChatKind,
  isBlank,
  type Message,
  type MessagesPage,
} from '@tara/contract/messages/messages';
import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { showToAdmins } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { blocks, memberCan, visibleTo } from '../visibility/index.ts';
import { chatCan, otherMember, type Parties } from './policy.ts';
import { type ChatRow, type MarkRow, presentChat, presentMessage } from './present.ts';
import { recentChats } from './recent.ts';
import { chatMarks, chats, messages } from './tables.ts';

/** Whether the viewer blocked a member, not only the other way round. */
async function hasBlocked(database: Database, viewer: Viewer, memberId: string): Promise<boolean> {
  const where = and(eq(blocks.blockerId, viewer.profileId), eq(blocks.blockedId, memberId));
  return (await database.$count(blocks, where)) > 0;
}

/** Whether the viewer reads a chat of theirs with a member of whom one is hidden from the other (`findChat`). */
const isReadableHidden = async (
  database: Database,
  viewer: Viewer,
  chat: Parties & Pick<ChatRow, 'kind' | 'closedAt'>,
) =>
  chat.kind === 'receipt'
    ? chat.closedAt === null
    : await hasBlocked(database, viewer, otherMember(chat, viewer.profileId));

/**
 * Whether the viewer sees a picture of a chat with this account, of whom one is hidden from the other: as long as the chat
 * is read.
 */
export async function isChatPictureReadable(
  database: Database,
  viewer: Viewer,
  { imageId, otherAccountId }: { imageId: string; otherAccountId: string },
): Promise<boolean> {
  const { profileId } = viewer;
  const other = sql`(select ${profiles.id} from ${profiles} where ${eq(profiles.accountId, otherAccountId)})`;
  // First of all: on a Citus cluster each chat is asked for by its id.
  const [between] = await database.execute<{ ids: string[] }>(
    sql`select chats_between(${profileId}, ${other}) as ids`,
  );
  const ids = between?.ids ?? [];
  const [chat] = await database
    .select({ kind: chats.kind, closedAt: chats.closedAt, firstId: chats.firstId, secondId: chats.secondId })
    .from(chats)
    .innerJoin(messages, and(eq(messages.chatId, chats.id), eq(messages.imageId, imageId)))
    .where(and(inArray(chats.id, ids), inArray(messages.chatId, ids)));
  return chat !== undefined && (await isReadableHidden(database, viewer, chat));
}

/**
 * The condition of the chats that a viewer reads, as `findChat` decides of one: give the columns of chats or of an alias.
 */
export function readableChats(
  viewer: Viewer,
  chat: Record<'firstId' | 'secondId' | 'kind' | 'closedAt', PgColumn>,
): SQL | undefined {
  const { profileId } = viewer;
  const isMember = or(eq(chat.firstId, profileId), eq(chat.secondId, profileId));
  const isVisible = visibleTo(viewer, chat.firstId, chat.secondId);
  if (isVisible === undefined) return isMember;
  // Read once for all chats: Citus cannot look each one's members up.
  const blockedByViewer = sql`any(array(select ${blocks.blockedId} from ${blocks} where ${blocks.blockerId} = ${profileId}))`;
  const isBlockedByViewer = sql`(${chat.firstId} = ${blockedByViewer} or ${chat.secondId} = ${blockedByViewer})`;
  return and(
    isMember,
    or(
      isVisible,
      and(eq(chat.kind, 'receipt'), isNull(chat.closedAt)),
      and(eq(chat.kind, 'conversation'), isBlockedByViewer),
    ),
  );
}

/**
 * A chat of the viewer with the marks of both members. Between two of whom one is hidden from the other a plan chat stays
 * readable while its request is open (§6), and a conversation for the member who blocked, as evidence.
 * @throws Problem `chat_not_found`, also for others' chats.
 */
export async function findChat(
  database: Database,
  viewer: Viewer,
  id: string,
): Promise<{ row: ChatRow; marks: MarkRow[] }> {
  const keepRecent = recentChats(database).reading();
  const rows = await database
    .select({ row: chats, mark: chatMarks })
    .from(chats)
    .leftJoin(chatMarks, eq(chatMarks.chatId, chats.id))
    .where(eq(chats.id, id));
  const row = rows[0]?.row;
  if (row === undefined || !chatCan.read(viewer, row)) throw new Problem('chat_not_found');
  const otherId = otherMember(row, viewer.profileId);
  const isReadable = memberCan.see(viewer, otherId) || (await isReadableHidden(database, viewer, row));
  if (!isReadable) throw new Problem('chat_not_found');
  keepRecent(row);
  return { row, marks: rows.flatMap(({ mark }) => mark ?? []) };
}

/** A chat as one of its members sees it. @throws Problem `chat_not_found` */
export async function readChat(database: Database, viewer: Viewer, id: string): Promise<Chat> {
  const { row, marks } = await findChat(database, viewer, id);
  const isHidden = !memberCan.see(viewer, otherMember(row, viewer.profileId));
  return presentChat(row, marks, viewer.profileId, isHidden);
}

interface Span {
  /** Older than this sequence. */
  before?: number;
  /** Newer than this sequence. */
  after?: number;
  /** Of 3 messages in a conversation, of 10 in a plan chat (§7). */
  pages?: number;
}

const messagesPerPage: Record<ChatKind, number> = {
  conversation: pageSize.conversationMessages,
  receipt: pageSize.receiptMessages,
};

/**
 * Messages of a chat that is the viewer's: those after a sequence oldest first, else newest first. `hasMore` says
 * whether there are more in that direction. Of a hidden member only the name is shown.
 */
export async function listMessages(
  database: Database,
  viewer: Viewer,
  { id, kind }: { id: string; kind: ChatKind },
  { before, after, pages = 1 }: Span,
): Promise<MessagesPage> {
  const size = pages * messagesPerPage[kind];
  const rows = await database
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.chatId, id),
        before === undefined ? undefined : lt(messages.sequence, before),
        after === undefined ? undefined : gt(messages.sequence, after),
      ),
    )
    .orderBy(after === undefined ? desc(messages.sequence) : asc(messages.sequence))
    .limit(size + 1);
  const items = rows.slice(0, size).map((row): Message => {
    const message = presentMessage(row);
    return memberCan.see(viewer, message.userId) ? message : { ...message, userId: '' };
  });
  return { items, hasMore: rows.length > size };
}

/** The messages of a chat that a member wrote with a text and did not take back, newest first: those of these ids, or so many. */
export async function listOwnTexts(
  database: Database | Transaction,
  { profileId }: Pick<Viewer, 'profileId'>,
  chatId: string,
  which: { ids: readonly string[] } | { newest: number },
): Promise<{ id: string; text: string; sentAt: Date }[]> {
  const hasIds = 'ids' in which;
  const rows = await database
    .select({ id: messages.id, text: messages.body, sentAt: messages.createdAt })
    .from(messages)
    .where(
      and(
        eq(messages.chatId, chatId),
        eq(messages.userId, profileId),
        isNull(messages.unsentAt),
        ne(messages.body, ''),
        hasIds ? inArray(messages.id, [...which.ids]) : undefined,
      ),
    )
    .orderBy(desc(messages.sequence))
    .limit(hasIds ? which.ids.length : which.newest);
  return rows.filter(({ text }) => !isBlank(text));
}

/**
 * Messages of a plan chat for an admin who decides a dispute or a report about it, newest first. Each look is written to
 * the audit log before anything is read; the pictures that it shows are open to admins from then on.
 */
export async function inspectPlanChat(
  database: Database,
  admin: Viewer,
  { chatId, before }: { chatId: string; before?: number | undefined },
  look: { action: string; subject: string },
): Promise<MessagesPage> {
  await audit(database, admin, {
    ...look,
    before: {},
    after: { chatId, before },
  });
  const span = { ...(before === undefined ? {} : { before }), pages: 2 };
  const page = await listMessages(database, admin, { id: chatId, kind: 'receipt' }, span);
  const pictures = page.items.flatMap(({ picture }) => picture?.imageId ?? []);
  await database.transaction(async (transaction) => {
    for (const id of pictures) await showToAdmins(transaction, id);
  });
  return page;
}

/** One message by its sequence; undefined when there is none. */
export async function findMessage(
  database: Database,
  chatId: string,
  sequence: number,
): Promise<Message | undefined> {
  const [row] = await database
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, chatId), eq(messages.sequence, sequence)));
  return row && presentMessage(row);
}
