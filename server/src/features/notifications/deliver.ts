import { nowDate } from '@tara/contract/clock';
import type { AdminEvent, MemberEvent, RequestEvent } from '@tara/contract/notifications/event';
import { findEvent } from '@tara/contract/notifications/events';
import { notificationGroups } from '@tara/contract/notifications/groups';
import { eq, inArray, sql } from 'drizzle-orm';
import { enqueueMail } from '../../platform/mail/queue.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { profiles } from '../profiles/index.ts';
import { defaultSettings, isChosen, lockStored, type StoredSettings } from './choices.ts';
import { heldUntil, nextDailyEmail } from './hold.ts';
import { composeNotification } from './mails.ts';
import { presentTexts } from './present.ts';
import { enqueuePushes } from './push.ts';
import type { NotificationRow } from './read.ts';
import { isDeliverable, type Recipient, readRecipient } from './recipient.ts';
import { notificationSettings, notifications } from './tables.ts';
import { hold, lockUndelivered, markDelivered } from './undelivered.ts';

/** What the deliveries of notifications use. */
export type DeliveryContext = Pick<Platform, 'config' | 'database' | 'bus' | 'sealer'>;

/**
 * Announces notifications to the open tabs of their members, and begins their pushes and their emails: these at once, a few
 * minutes later, which leaves the time to see them, or with the daily one. Run twice it changes nothing: a push replaces itself.
 */
export async function deliverNotifications(
  { config, database, bus }: DeliveryContext,
  ids: readonly string[],
): Promise<void> {
  const rows = await database
    .select({ notification: notifications, accountId: profiles.accountId, settings: notificationSettings })
    .from(notifications)
    .innerJoin(profiles, eq(profiles.id, notifications.profileId))
    .leftJoin(notificationSettings, eq(notificationSettings.profileId, notifications.profileId))
    .where(inArray(notifications.id, [...ids]));
  for (const { notification, accountId, settings } of rows) {
    const { id, profileId, event: name, inApp, createdAt, deliveredAt } = notification;
    if (inApp) bus.publish('notificationsChanged', { accountId });
    const event = findEvent(name);
    if (deliveredAt !== null || event === undefined) continue;
    if (event.channels.push) await enqueuePushes(database, { id, profileId });
    const stored = settings ?? defaultSettings;
    if (!event.channels.email || (event.urgency === 'normal' && !isInDaily(stored, event))) {
      await markDelivered(database, eq(notifications.id, id));
      continue;
    }
    if (event.urgency === 'normal') {
      const runAt = nextDailyEmail(stored, nowDate());
      await tasks.mailDaily.enqueue(database, { profileId }, { runAt, keepsTime: true });
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

/**
 * Whether the daily email of a member has an event that is not urgent. What is about security, money and safety is mailed also
 * where the member wants no daily email.
 */
export const isInDaily = (
  settings: StoredSettings,
  { group }: Pick<RequestEvent | MemberEvent | AdminEvent, 'group'>,
): boolean =>
  !notificationGroups[group].canSwitchOff || (settings.dailyEmail && isChosen(settings, group, 'email'));

/**
 * Whether a notification is still to be mailed: it may reach its recipient, who did not switch its emails off, and neither saw
 * it nor got it on a device. One that goes at once is about the account's security, and goes whatever was seen.
 */
export function isToMail(
  row: NotificationRow,
  { recipient, settings }: { recipient: Recipient; settings: StoredSettings },
): boolean {
  const { event: name, readAt, pushedAt } = row.notification;
  const event = findEvent(name);
  if (event === undefined || !isDeliverable(event, row, recipient)) return false;
  if (event.urgency === 'atOnce') return true;
  if (readAt !== null || !isChosen(settings, event.group, 'email')) return false;
  return event.urgency !== 'urgent' || pushedAt === null;
}

/**
 * Queues the email of a notification, together with the note of it, or holds it up, unless it was seen or pushed meanwhile,
 * or may not be delivered any more.
 */
export async function mailNotification(context: DeliveryContext, id: string): Promise<void> {
  await context.database.transaction(async (transaction) => {
    const { profileId: owner } = notifications;
    const settings = await lockStored(
      transaction,
      sql`(select ${owner} from ${notifications} where ${eq(notifications.id, id)})`,
    );
    const [row] = await lockUndelivered(transaction, eq(notifications.id, id), 1);
    if (row === undefined) return;
    const { notification } = row;
    const { profileId, actorId, mailTo } = notification;
    const event = findEvent(notification.event);
    const recipient = await readRecipient(transaction, profileId, [actorId]);
    const isWanted = recipient !== null && isToMail(row, { recipient, settings });
    if (isWanted && event !== undefined) {
      const until = heldUntil(settings, event, nowDate());
      if (until !== null) return hold(transaction, { profileId, way: 'email', items: [{ id, until }] });
    }
    await markDelivered(transaction, eq(notifications.id, id));
    const texts = presentTexts(row, recipient?.name ?? '');
    if (!isWanted || event === undefined || texts === null) return;
    const to = mailTo ?? recipient.email;
    if (to === null) return;
    const mail = composeNotification(context, to, recipient, { group: event.group, texts });
    await enqueueMail(transaction, context.sealer, { ...mail, id });
  });
}
