import type { Message } from '@tara/contract/messages';
import { unsentBody } from '@tara/contract/notices';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { hideFile, releaseFile } from '../files/index.ts';
import { announceMessage } from './announce.ts';
import { replacePreview } from './entries.ts';
import { chatCan } from './policy.ts';
import { presentMessage } from './present.ts';
import { findChat } from './read.ts';
import { chats, messages, unsentMessages } from './tables.ts';

/**
 * Takes one of the viewer's messages back: its text is replaced and its picture gone for both at once (§4). Of a plan chat
 * the original is kept for an admin who decides about the request (decisions §2). Repeating it changes nothing.
 * @throws Problem `chat_not_found`; `message_not_found` for others' messages; `chat_read_only` after a block, because what
 * was written before it may be reported.
 */
export async function unsendMessage(
  platform: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<Message> {
  const { database } = platform;
  const { row: chat } = await findChat(database, viewer, chatId);
  const where = and(eq(messages.chatId, chatId), eq(messages.id, messageId));
  const { row, isNew } = await database.transaction(async (transaction) => {
    // The chat's row stays locked: a block waits for it, or it for the block.
    const [locked] = await transaction.select().from(chats).where(eq(chats.id, chatId)).for('update');
    const [before] = await transaction.select().from(messages).where(where);
    if (!before || before.userId !== viewer.profileId) throw new Problem('message_not_found');
    if (!chatCan.unsend(viewer, before)) return { row: before, isNew: false };
    if (locked?.blocked) throw new Problem('chat_read_only');
    const { sequence, body, picture, imageId } = before;
    if (chat.kind === 'receipt')
      await transaction.insert(unsentMessages).values({ chatId, sequence, body, picture, imageId });
    const [after] = await transaction
      .update(messages)
      .set({ body: unsentBody, picture: null, imageId: null, unsentAt: sql`now()` })
      .where(where)
      .returning();
    if (imageId !== null) {
      await hideFile(transaction, imageId);
      if (chat.kind === 'conversation') await releaseFile(transaction, imageId);
    }
    return { row: after ?? before, isNew: true };
  });
  const message = presentMessage(row);
  if (isNew) {
    announceMessage(platform, chat, message, 'update');
    const entry = { chatId, sequence: row.sequence, memberIds: [chat.firstId, chat.secondId] };
    await replacePreview(database, entry, unsentBody);
  }
  return message;
}

/** Days after the end of a request until the originals of unsent messages are deleted. */
const keptDays = 30;

/** Deletes originals whose request has been over for 30 days, with their pictures. Bears being repeated. */
export async function removeUnsentMessages({ database }: Pick<Platform, 'database'>): Promise<void> {
  const ended = await database
    .select({
      chatId: unsentMessages.chatId,
      imageId: unsentMessages.imageId,
      sequence: unsentMessages.sequence,
    })
    .from(unsentMessages)
    .innerJoin(chats, eq(chats.id, unsentMessages.chatId))
    .where(lt(chats.closedAt, sql`now() - make_interval(days => ${keptDays})`));
  for (const { chatId, sequence, imageId } of ended) {
    await database.transaction(async (transaction) => {
      await transaction
        .delete(unsentMessages)
        .where(and(eq(unsentMessages.chatId, chatId), eq(unsentMessages.sequence, sequence)));
      if (imageId !== null) await releaseFile(transaction, imageId);
    });
  }
}
