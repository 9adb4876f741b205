import { and, desc, eq, inArray, isNotNull, isNull, min, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { type NotificationRow, selectNotifications } from './read.ts';
import { notifications } from './tables.ts';

/**
 * Undelivered notifications, the newest first, locked: of two jobs at once one alone mails them. What their texts say is read by
 * another statement: chats may be on other shards (decision 0047).
 */
export async function lockUndelivered(
  transaction: Transaction,
  condition: SQL | undefined,
  limit: number,
): Promise<NotificationRow[]> {
  const newestFirst = [desc(notifications.createdAt), desc(notifications.id)];
  const locked = await transaction
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(isNull(notifications.deliveredAt), condition))
    .orderBy(...newestFirst)
    .limit(limit)
    .for('update');
  if (locked.length === 0) return [];
  const ids = locked.map(({ id }) => id);
  return selectNotifications(transaction)
    .where(inArray(notifications.id, ids))
    .orderBy(...newestFirst);
}

/**
 * Notes that a notification was mailed, or need not be. One that is in no list is read by that, so that it is deleted in its
 * time.
 */
export const markDelivered = (database: Database | Transaction, condition: SQL | undefined) =>
  database
    .update(notifications)
    .set({
      ...{ deliveredAt: sql`now()`, mailTo: null },
      readAt: sql`case when ${notifications.inApp} then ${notifications.readAt} else coalesce(${notifications.readAt}, now()) end`,
    })
    .where(and(isNull(notifications.deliveredAt), condition));

/** Holds the emails of notifications of a member up, until one email has all that was held. */
export async function hold(
  transaction: Transaction,
  profileId: string,
  ids: readonly string[],
  until: Date,
): Promise<void> {
  await transaction
    .update(notifications)
    .set({ heldUntil: until })
    .where(inArray(notifications.id, [...ids]));
  const [first] = await transaction
    .select({ until: min(notifications.heldUntil) })
    .from(notifications)
    .where(
      and(
        eq(notifications.profileId, profileId),
        isNull(notifications.deliveredAt),
        isNotNull(notifications.heldUntil),
      ),
    );
  // What is still held up then waits on.
  await tasks.mailHeld.enqueue(transaction, { profileId }, { runAt: first?.until ?? until });
}
