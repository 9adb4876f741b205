import type { Message } from '@tara/contract/messages/messages';
import { unsentBody } from '@tara/contract/notices';
import { and, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { isNotAmong } from '../../platform/database/among.ts';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { hideFile, releaseFile } from '../files/index.ts';
import { announceMessage } from './announce.ts';
import { saveListed } from './entries.ts';
import { chatCan } from './policy.ts';
import { type ChatRow, type MessageRow, presentMessage } from './present.ts';
import { findChat } from './read.ts';
import { chats, messages, unsentMessages } from './tables.ts';

/** A chat after one of its messages was taken back. */
interface TakenBack {
  chat: ChatRow;
  message: MessageRow;
}

/**
 * Replaces a message in its row, and in what the chat's row has for the lists, in the transaction that locked the chat.
 * The lists follow after the commit (`saveListed`).
 */
async function takeBack(transaction: Transaction, chat: ChatRow, message: MessageRow): Promise<TakenBack> {
  const { chatId, sequence, body, picture, imageId } = message;
  const isReported = imageId !== null && (await hideFile(transaction, imageId)).wasReported;
  const keepsOriginal = chat.kind === 'receipt' || isReported;
  if (keepsOriginal)
    await transaction.insert(unsentMessages).values({ chatId, sequence, body, picture, imageId });
  const [replaced] = await transaction
    .update(messages)
    .set({ body: unsentBody, picture: null, imageId: null, unsentAt: sql`now()` })
    .where(and(eq(messages.chatId, chatId), eq(messages.sequence, sequence)))
    .returning();
  if (imageId !== null && !keepsOriginal) await releaseFile(transaction, imageId);
  const [changed] = await transaction
    .update(chats)
    .set({
      version: sql`${chats.version} + 1`,
      // Not `case … when`, which Citus rewrites wrongly.
      preview: sql`case when ${chats.lastSequence} = ${sequence} then ${unsentBody} else ${chats.preview} end`,
      updatedAt: sql`now()`,
    })
    .where(eq(chats.id, chatId))
    .returning();
  return { chat: changed ?? chat, message: replaced ?? message };
}

/** Locks a chat and reads one of its messages: a block waits for it, or it for the block. */
async function lockMessage(
  transaction: Transaction,
  chatId: string,
  messageId: string,
): Promise<{ chat: ChatRow | undefined; message: MessageRow | undefined }> {
  const [chat] = await transaction.select().from(chats).where(eq(chats.id, chatId)).for('update');
  const [message] = await transaction
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, chatId), eq(messages.id, messageId)));
  return { chat, message };
}

/**
 * Takes one of the viewer's messages back: its text is replaced and its picture is removed for both at once (§4). Of a
 * plan chat the original is kept for an admin who decides about the request (decisions §2), of a conversation a
 * reported picture. Repeating it changes nothing.
 * @throws Problem `chat_not_found`; `message_not_found` for others' messages; `chat_read_only` after a block, because
 * what was written before it may be reported.
 */
export async function unsendMessage(
  platform: Pick<Platform, 'database' | 'bus' | 'log'>,
  viewer: Viewer,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<Message> {
  const { database } = platform;
  await findChat(database, viewer, chatId);
  const { row, changed } = await database.transaction(async (transaction) => {
    const { chat: locked, message } = await lockMessage(transaction, chatId, messageId);
    if (!locked || message?.userId !== viewer.profileId) throw new Problem('message_not_found');
    if (!chatCan.unsend(viewer, message)) return { row: message, changed: null };
    if (locked.blocked) throw new Problem('chat_read_only');
    const taken = await takeBack(transaction, locked, message);
    return { row: taken.message, changed: taken.chat };
  });
  const message = presentMessage(row);
  if (changed) {
    // First of all: who reads the lists because of the event finds no text there.
    await saveListed(platform, changed);
    announceMessage(platform, changed, message, 'update');
  }
  return message;
}

/**
 * Takes a message back for an admin who decided so, also after a block. Returns what to do after the commit; null when
 * it is gone already.
 */
export async function removeMessage(
  transaction: Transaction,
  chatId: string,
  messageId: string,
): Promise<((platform: Pick<Platform, 'database' | 'bus' | 'log'>) => Promise<void>) | null> {
  const { chat, message } = await lockMessage(transaction, chatId, messageId);
  if (!chat || !message || message.userId === null || message.unsentAt !== null) return null;
  const taken = await takeBack(transaction, chat, message);
  return async (platform) => {
    await saveListed(platform, taken.chat);
    announceMessage(platform, taken.chat, presentMessage(taken.message), 'update');
  };
}

/**
 * What a message said before it was taken back; undefined when it was not, or no original is kept: in a conversation there
 * is one of a reported picture alone.
 */
export async function findOriginal(
  transaction: Transaction,
  chatId: string,
  messageId: string,
): Promise<typeof unsentMessages.$inferSelect | undefined> {
  const [row] = await transaction
    .select(getTableColumns(unsentMessages))
    .from(unsentMessages)
    .innerJoin(
      messages,
      and(eq(messages.chatId, unsentMessages.chatId), eq(messages.sequence, unsentMessages.sequence)),
    )
    .where(and(eq(unsentMessages.chatId, chatId), eq(messages.id, messageId)));
  return row;
}

/** Deletes the original of a conversation's message with its picture: the last report of it is decided. */
export async function forgetOriginal(
  transaction: Transaction,
  chatId: string,
  messageId: string,
): Promise<void> {
  const original = await findOriginal(transaction, chatId, messageId);
  const [chat] = await transaction.select({ kind: chats.kind }).from(chats).where(eq(chats.id, chatId));
  if (!original || chat?.kind !== 'conversation') return;
  const { sequence, imageId } = original;
  await transaction
    .delete(unsentMessages)
    .where(and(eq(unsentMessages.chatId, chatId), eq(unsentMessages.sequence, sequence)));
  if (imageId !== null) await releaseFile(transaction, imageId);
}

/** Days after the end of a request until the originals of unsent messages are deleted. */
const keptDays = 30;

/** Most originals of one round. */
const batchSize = 500;

/**
 * Deletes originals whose request has been over for 30 days, with their pictures; returns whether there may be more. Can
 * be repeated.
 */
export async function removeUnsentMessages(
  { database }: Pick<Platform, 'database'>,
  helpers: Pick<JobHelpers, 'log' | 'signal'>,
): Promise<boolean> {
  const count = await workItems(
    { database, ...helpers },
    {
      name: 'messages.removeUnsent',
      select: async (_, readPostponed) =>
        database
          .select({
            chatId: unsentMessages.chatId,
            imageId: unsentMessages.imageId,
            sequence: unsentMessages.sequence,
          })
          .from(unsentMessages)
          .innerJoin(chats, eq(chats.id, unsentMessages.chatId))
          .where(
            and(
              lt(chats.closedAt, sql`now() - make_interval(days => ${keptDays})`),
              isNotAmong(
                sql`${unsentMessages.chatId} || ' ' || ${unsentMessages.sequence}`,
                await readPostponed(),
              ),
            ),
          )
          .orderBy(chats.closedAt)
          .limit(batchSize),
      id: ({ chatId, sequence }) => `${chatId} ${sequence}`,
      work: ({ chatId, sequence, imageId }) =>
        database.transaction(async (transaction) => {
          await transaction
            .delete(unsentMessages)
            .where(and(eq(unsentMessages.chatId, chatId), eq(unsentMessages.sequence, sequence)));
          if (imageId !== null) await releaseFile(transaction, imageId);
        }),
    },
  );
  return count === batchSize;
}
