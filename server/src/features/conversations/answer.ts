import { and, eq, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import {
  announceChatEvent,
  announceEntry,
  chatEntries,
  chats,
  findChat,
  saveEntries,
} from '../messages/index.ts';
import { announceConversation } from './present.ts';
import { asConversationProblem } from './read.ts';
import { conversations } from './tables.ts';

type AnswerContext = Pick<Platform, 'database' | 'bus'>;

/** One's own conversation; a plan chat is none. @throws Problem `conversation_not_found` */
async function find(context: AnswerContext, viewer: Viewer, id: string) {
  const chat = await findChat(context.database, viewer, id).catch((error: unknown) => {
    throw asConversationProblem(error);
  });
  if (chat.row.kind !== 'conversation') throw new Problem('conversation_not_found');
  return chat;
}

/**
 * Accepts a message request, or ignores it: then it leaves the list of requests and its sender does not learn of it.
 * Repeating it changes nothing. @throws Problem `conversation_not_found`
 */
export async function answerRequest(
  context: AnswerContext,
  viewer: Viewer,
  { convoId, answer }: { convoId: string; answer: 'accept' | 'ignore' },
): Promise<void> {
  const { database } = context;
  const { profileId, accountId } = viewer;
  const { row } = await find(context, viewer, convoId);
  if (answer === 'ignore') {
    await database
      .update(chatEntries)
      .set({ ignored: true })
      .where(and(eq(chatEntries.memberId, profileId), eq(chatEntries.chatId, convoId)));
    announceEntry(context, { profileId, accountId }, { chatId: convoId });
    return;
  }
  const isAccepted = await database.transaction(async (transaction) => {
    const accepted = await transaction
      .update(chats)
      .set({ awaitsId: null, version: sql`${chats.version} + 1`, updatedAt: sql`now()` })
      .where(and(eq(chats.id, convoId), eq(chats.awaitsId, profileId)))
      .returning();
    await saveEntries(transaction, accepted);
    return accepted.length > 0;
  });
  if (!isAccepted) return;
  const [conversation] = await database.select().from(conversations).where(eq(conversations.id, convoId));
  if (conversation) announceConversation(context, conversation, row.expiresAt, 'update');
  const accountIds = [row.firstAccountId, row.secondAccountId];
  announceChatEvent(context, row, { changed: true }, { accountIds });
}

/**
 * Hides a conversation from the viewer's list until a new message arrives; the other's list stays.
 * @throws Problem `conversation_not_found`
 */
export async function deleteChat(context: AnswerContext, viewer: Viewer, convoId: string): Promise<void> {
  const { profileId, accountId } = viewer;
  const { row } = await find(context, viewer, convoId);
  await context.database
    .update(chatEntries)
    .set({ hiddenThrough: sql`greatest(${chatEntries.hiddenThrough}, ${row.lastSequence})` })
    .where(and(eq(chatEntries.memberId, profileId), eq(chatEntries.chatId, convoId)));
  announceEntry(context, { profileId, accountId }, { chatId: convoId });
}
