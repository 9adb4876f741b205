import { and, asc, eq, gt, inArray, isNull, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceChatEvent, chats, writeLine } from '../messages/index.ts';
import { forgetEvent, isActiveMember, notifications, notify } from '../notifications/index.ts';
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
  // That it ends soon is true no more.
  await context.database.transaction((transaction) =>
    forgetEvent(transaction, context, { event: 'conversationExpiring', recordId: chat.id }),
  );
  await writeLine(context, { chatId: chat.id, body: expiryLifted, clientKey: 'expiry-lifted' });
  announceConversation(context, conversation, chat.expiresAt, 'update');
  const accountIds = [chat.firstAccountId, chat.secondAccountId];
  announceChatEvent(context, chat, { changed: true }, { accountIds });
}

const batchSize = 200;
/** Conversations that are looked at by one statement for those that are to be notified. */
const lookSize = 1_000;

/** The chats that end within a day, by their ids in the order of their ends: a page of them. */
const listExpiring = (database: Database, after: { expiresAt: string; id: string } | undefined) =>
  database
    .select({ id: chats.id, expiresAt: sql<string>`${chats.expiresAt}::text` })
    .from(chats)
    .where(
      and(
        gt(chats.expiresAt, sql`now()`),
        lte(chats.expiresAt, sql`now() + interval '1 day'`),
        lte(chats.createdAt, sql`now() - interval '1 day'`),
        isNull(chats.awaitsId),
        gt(chats.lastSequence, 0),
        eq(chats.blocked, false),
        after && sql`(${chats.expiresAt}, ${chats.id}) > (${after.expiresAt}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(asc(chats.expiresAt), asc(chats.id))
    .limit(lookSize);

/**
 * The first conversations that end within a day and of which its members are not notified yet: what is due of them is known by other
 * tables, chats may be on other shards (decision 0047).
 */
async function listUnnotified(database: Database, isDue: (id: SQLWrapper) => SQL, signal: AbortSignal) {
  const unnotified: (typeof conversations.$inferSelect)[] = [];
  for (let after: Parameters<typeof listExpiring>[1]; unnotified.length < batchSize; ) {
    // Of those that are notified already there may be very many.
    signal.throwIfAborted();
    const expiring = await listExpiring(database, after);
    const places = new Map(expiring.map(({ id }, index) => [id, index]));
    const rows = await database
      .select()
      .from(conversations)
      .where(
        and(
          inArray(conversations.id, [...places.keys()]),
          isActiveMember(conversations.firstId),
          isActiveMember(conversations.secondId),
          sql`not exists (select from ${notifications} where ${eq(notifications.recordId, conversations.id)}
            and ${notifications.recordId} <> '' and ${notifications.event} = 'conversationExpiring')`,
          isDue(conversations.id),
        ),
      );
    unnotified.push(...rows.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0)));
    after = expiring.at(-1);
    if (expiring.length < lookSize) break;
  }
  return unnotified.slice(0, batchSize);
}

/** Notifies both members of each conversation that ends within a day, once; not of a message request, nor of one without messages. */
const notifyExpiring = ({ database }: TaskContext, helpers: Pick<JobHelpers, 'log' | 'signal'>) =>
  workItems(
    { database, ...helpers },
    {
      name: 'conversations.notifyExpiring',
      select: (isDue) => listUnnotified(database, isDue, helpers.signal),
      id: ({ id }) => id,
      work: ({ id: recordId, firstId, secondId, mixId }) =>
        database.transaction(async (transaction) => {
          for (const [profileId, actorId] of [
            [firstId, secondId],
            [secondId, firstId],
          ] as const)
            await notify(transaction, {
              ...{ event: 'conversationExpiring', to: { profileId }, recordId, actorId },
              details: { mixId },
            });
        }),
    },
  );

/** Jobs of this feature. */
export const conversationTasks = (context: TaskContext) => ({
  ...tasks.notifyExpiring.handledBy(async (_job, helpers) => {
    while ((await notifyExpiring(context, helpers)) === batchSize);
  }),
  ...tasks.announceLiftedExpiry.handledBy(({ conversationId }) =>
    announceLiftedExpiry(context, conversationId),
  ),
});
