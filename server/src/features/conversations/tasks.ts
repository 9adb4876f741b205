import { eq } from 'drizzle-orm';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceChatEvent, chats, writeLine } from '../messages/index.ts';
import { announceConversation } from './present.ts';
import { conversations } from './tables.ts';

type TaskContext = Pick<Platform, 'database' | 'bus' | 'log'>;

const expiryLifted = 'A plan between you is paid. This chat no longer expires.';

/**
 * Announces to both members of a conversation that it stays open: a trigger enqueues it with the payment (migration
 * 0054).
 */
async function announceLiftedExpiry(context: TaskContext, conversationId: string): Promise<void> {
  const [row] = await context.database
    .select({ conversation: conversations, chat: chats })
    .from(conversations)
    .innerJoin(chats, eq(chats.id, conversations.id))
    .where(eq(conversations.id, conversationId));
  if (row === undefined) return;
  const { conversation, chat } = row;
  await writeLine(context, { chatId: chat.id, body: expiryLifted, clientKey: 'expiry-lifted' });
  announceConversation(context, conversation, chat.expiresAt, 'update');
  const accountIds = [chat.firstAccountId, chat.secondAccountId];
  announceChatEvent(context, chat, { changed: true }, { accountIds });
}

/** Jobs of this feature. */
export const conversationTasks = (context: TaskContext) => ({
  ...tasks.announceLiftedExpiry.handledBy(({ conversationId }) =>
    announceLiftedExpiry(context, conversationId),
  ),
});
