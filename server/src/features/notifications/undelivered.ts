import { nowDate } from '@tara/contract/clock';
import { chatMessages } from '@tara/contract/notifications/events';
import { and, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { lockStored } from './choices.ts';
import { heldUntil } from './hold.ts';
import { type NotificationRow, selectNotifications } from './read.ts';
import { notificationSettings, notifications } from './tables.ts';

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

/** Where it is noted until when a way of a notification is held up. */
const heldColumns = { email: 'mailHeldUntil', push: 'pushHeldUntil' } as const;

/** Which notifications of a member have an email, or a push, that is held up. */
export const isHeld = (profileId: string, way: keyof typeof heldColumns): SQL | undefined =>
  and(
    eq(notifications.profileId, profileId),
    isNotNull(notifications[heldColumns[way]]),
    ...(way === 'email' ? [isNull(notifications.deliveredAt)] : []),
  );

/** Notifications, and until when a way of each is held up. */
interface Hold {
  profileId: string;
  way: keyof typeof heldColumns;
  items: readonly { id: string; until: Date }[];
}

/**
 * Holds the emails or the pushes of notifications of a member up, until all that was held is delivered as one. A transaction that
 * locked some of them locked the settings of the member before.
 */
export async function hold(database: Database | Transaction, { profileId, way, items }: Hold): Promise<void> {
  if (items.length === 0) return;
  await database.transaction(async (transaction) => {
    await lockStored(transaction, profileId);
    for (const [time, group] of Map.groupBy(items, ({ until }) => until.getTime())) {
      const until = new Date(time);
      const ids = group.map(({ id }) => id);
      await transaction
        .update(notifications)
        .set({ [heldColumns[way]]: until })
        .where(inArray(notifications.id, ids));
    }
    await enqueueHeld(transaction, profileId);
  });
}

/** Holds the pushes of chats' messages up, the newest last: who has quiet hours or a pause has a row of settings. */
export async function holdChats(
  database: Database,
  { profileId, chatIds }: { profileId: string; chatIds: readonly string[] },
): Promise<void> {
  const { heldChats } = notificationSettings;
  await database.transaction(async (transaction) => {
    await transaction
      .update(notificationSettings)
      .set({
        heldChats: sql`${heldChats} || array(select id from json_array_elements_text(${JSON.stringify(chatIds)}::json) as id
          where not id = any(${heldChats}))`,
      })
      .where(eq(notificationSettings.profileId, profileId));
    await enqueueHeld(transaction, profileId);
  });
}

/**
 * Has what is held up of a member delivered when the first of it may be. One transaction after the other: each knows what those
 * before it held up, whose job it replaces.
 */
export async function enqueueHeld(transaction: Transaction, profileId: string): Promise<void> {
  const settings = await lockStored(transaction, profileId);
  const [first] = await transaction
    .select({
      until:
        sql<Date | null>`min(least(case when ${notifications.deliveredAt} is null then ${notifications.mailHeldUntil} end,
          ${notifications.pushHeldUntil}))`.mapWith(notifications.mailHeldUntil),
    })
    .from(notifications)
    .where(or(isHeld(profileId, 'email'), isHeld(profileId, 'push')));
  const now = nowDate();
  const chatsUntil = settings.heldChats.length === 0 ? null : (heldUntil(settings, chatMessages, now) ?? now);
  const times = [first?.until, chatsUntil].flatMap((until) => until?.getTime() ?? []);
  if (times.length === 0) return;
  await tasks.deliverHeld.enqueue(transaction, { profileId }, { runAt: new Date(Math.min(...times)) });
}
