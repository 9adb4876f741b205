import { findEvent } from '@tara/contract/notifications/events';
import { notificationGroups } from '@tara/contract/notifications/groups';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { composeMail } from '../../platform/mail/compose.ts';
import { enqueueMail } from '../../platform/mail/queue.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { profiles } from '../profiles/index.ts';
import { notificationCan } from './policy.ts';
import { presentTexts } from './present.ts';
import { enqueuePushes } from './push.ts';
import { selectNotifications } from './read.ts';
import { readRecipient } from './recipient.ts';
import { notifications } from './tables.ts';

type DeliveryContext = Pick<Platform, 'config' | 'database' | 'bus' | 'sealer'>;

/**
 * Announces notifications to the open tabs of their members, and begins their pushes and their emails: these at once, or a few
 * minutes later, which leaves the time to see them. Run twice it changes nothing: a push replaces itself.
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
    if (event.channels.push) await enqueuePushes(database, { id, accountId });
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

/**
 * Queues the email of a notification, together with the note of it, unless it was seen or pushed meanwhile, or may not be
 * delivered any more. One that goes at once is about the account's security, and goes whatever was seen.
 */
export async function mailNotification(
  { config, database, sealer }: DeliveryContext,
  id: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    // Of two jobs at once one alone does it. What is read of it afterwards cannot be locked in the same statement: chats may be on
    // other shards (decision 0047).
    const [delivered] = await transaction
      .update(notifications)
      .set({ deliveredAt: sql`now()` })
      .where(isUndelivered(id))
      .returning({ id: notifications.id });
    if (delivered === undefined) return;
    const [row] = await selectNotifications(transaction).where(eq(notifications.id, id));
    if (row === undefined) return;
    const { notification } = row;
    if (notification.mailTo !== null)
      await transaction.update(notifications).set({ mailTo: null }).where(eq(notifications.id, id));
    const event = findEvent(notification.event);
    const recipient = await readRecipient(transaction, notification.profileId, notification.actorId);
    const texts = presentTexts(row, recipient?.name ?? '');
    if (event === undefined || recipient === undefined || texts === null) return;
    const isFromHidden = row.hiddenName !== null;
    if (!notificationCan.deliver(event, { ...recipient, isFromHidden })) return;
    const isUrgent = event.urgency === 'urgent';
    if (isUrgent && (notification.readAt !== null || notification.pushedAt !== null)) return;
    const confirmed = recipient.emailVerifiedAt === null ? null : recipient.email;
    const to = notification.mailTo ?? confirmed;
    if (to === null) return;
    const { title, text, button, link, otherwise = notificationGroups[event.group].because } = texts;
    const template = { subject: title, why: text, button, otherwise };
    const mail = composeMail(to, recipient.name, config.publicUrl + link, template);
    await enqueueMail(transaction, sealer, { ...mail, id });
  });
}
