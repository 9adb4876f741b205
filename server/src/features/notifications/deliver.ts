import { findEvent } from '@tara/contract/notifications/events';
import { notificationGroups } from '@tara/contract/notifications/groups';
import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { composeMail } from '../../platform/mail/compose.ts';
import { enqueueMail } from '../../platform/mail/queue.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { accounts } from '../accounts/index.ts';
import { profiles } from '../profiles/index.ts';
import { mutes } from '../visibility/index.ts';
import { notificationCan } from './policy.ts';
import { presentTexts } from './present.ts';
import { wasPushed } from './push.ts';
import { selectNotifications } from './read.ts';
import { notifications } from './tables.ts';

type DeliveryContext = Pick<Platform, 'config' | 'database' | 'bus' | 'sealer'>;

/**
 * Announces notifications to the open tabs of their members, and begins their emails: at once, or a few minutes later, which
 * leaves the time to see them. Run twice it changes nothing.
 */
export async function deliverNotifications(
  { config, database, bus }: DeliveryContext,
  ids: readonly string[],
): Promise<void> {
  const rows = await database
    .select({ notification: notifications, accountId: profiles.accountId })
    .from(notifications)
    .innerJoin(profiles, eq(profiles.id, notifications.profileId))
    .where(inArray(notifications.id, [...ids]));
  for (const { notification, accountId } of rows) {
    const { id, event: name, inApp, createdAt, deliveredAt } = notification;
    if (inApp) bus.publish('notificationsChanged', { accountId });
    const event = findEvent(name);
    if (deliveredAt !== null || event === undefined) continue;
    if (event.urgency === 'normal' || !event.channels.email) {
      await database.update(notifications).set({ deliveredAt: sql`now()` }).where(isUndelivered(id));
      continue;
    }
    const waitMs = event.urgency === 'atOnce' ? 0 : config.notificationMailMinutes * 60_000;
    await tasks.mailNotification.enqueue(
      database,
      { id },
      waitMs === 0 ? {} : { runAt: new Date(createdAt.getTime() + waitMs) },
    );
  }
}

const isUndelivered = (id: string) => and(eq(notifications.id, id), isNull(notifications.deliveredAt));

/** The account and its state as `notificationCan.deliver` wants to know it. */
const readRecipient = async (transaction: Transaction, profileId: string, actorId: string | null) => {
  const isMuted: SQL<boolean> = sql`exists (select from ${mutes}
    where ${mutes.muterId} = ${profileId} and ${mutes.mutedId} = ${actorId})`;
  const isActorClosed: SQL<boolean> = sql`exists (
    select from ${profiles} as actor join ${accounts} as actor_account on actor_account.id = actor.account_id
    where actor.id = ${actorId} and (actor_account.blocked_at is not null or actor_account.suspended_until > now()))`;
  const [recipient] = await transaction
    .select({
      email: accounts.email,
      emailVerifiedAt: accounts.emailVerifiedAt,
      name: accounts.name,
      isDeleted: sql<boolean>`${accounts.deletedAt} is not null`,
      isClosed: sql<boolean>`coalesce(${or(
        sql`${accounts.blockedAt} is not null`,
        sql`${accounts.deletesAt} is not null`,
        sql`${accounts.suspendedUntil} > now()`,
      )}, false)`,
      isFromMuted: isMuted,
      isFromClosed: isActorClosed,
      isAdmin: sql<boolean>`'admin' = any(${accounts.labels})`,
    })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .where(eq(profiles.id, profileId));
  return recipient;
};

/**
 * Queues the email of a notification, together with the note of it, unless it was seen or pushed meanwhile, or may not be
 * delivered any more. One that goes at once is about the account's security, and goes whatever was seen.
 */
export async function mailNotification(
  { config, database, sealer }: DeliveryContext,
  id: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const [row] = await selectNotifications(transaction)
      .where(isUndelivered(id))
      .for('update', { of: notifications });
    if (row === undefined) return;
    const { notification } = row;
    await transaction
      .update(notifications)
      .set({ deliveredAt: sql`now()`, mailTo: null })
      .where(eq(notifications.id, id));
    const event = findEvent(notification.event);
    const recipient = await readRecipient(transaction, notification.profileId, notification.actorId);
    const texts = presentTexts(row, recipient?.name ?? '');
    if (event === undefined || recipient === undefined || texts === null) return;
    const isFromHidden = row.hiddenName !== null;
    if (!notificationCan.deliver(event, { ...recipient, isFromHidden })) return;
    const isUrgent = event.urgency === 'urgent';
    if (isUrgent && (notification.readAt !== null || (await wasPushed(transaction, id)))) return;
    const confirmed = recipient.emailVerifiedAt === null ? null : recipient.email;
    const to = notification.mailTo ?? confirmed;
    if (to === null) return;
    const { title, text, button, link, otherwise = notificationGroups[event.group].because } = texts;
    const template = { subject: title, why: text, button, otherwise };
    const mail = composeMail(to, recipient.name, config.publicUrl + link, template);
    await enqueueMail(transaction, sealer, { ...mail, id });
  });
}
