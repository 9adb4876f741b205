import { nowDate } from '@tara/contract/clock';
import { findEvent } from '@tara/contract/notifications/events';
import { and, desc, inArray, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import type { PushMessage } from '../../platform/push.ts';
import { tasks } from '../../platform/tasks.ts';
import { deliverPush, memberDevices } from '../devices/index.ts';
import { isChosen, readStored } from './choices.ts';
import { heldUntil } from './hold.ts';
import { presentTexts, summaryTitle } from './present.ts';
import { pushTag, readLately } from './push-tags.ts';
import { selectNotifications } from './read.ts';
import { isDeliverable, readRecipient } from './recipient.ts';
import { notifications } from './tables.ts';
import { hold } from './undelivered.ts';

export type PushContext = Pick<Platform, 'database' | 'push' | 'log'>;
export type PushTry = Pick<JobHelpers, 'attempt' | 'maxAttempts'>;

/** A notification or a chat that a push counts. */
export interface ListedItem extends Pick<PushMessage, 'url' | 'urgency'> {
  tag: string;
}

/** What a device is pushed of one notification or chat. */
export interface PushItem extends ListedItem {
  title: string;
  /** Can have what others wrote. */
  text: string;
}

interface Push {
  first: PushItem;
  more?: readonly ListedItem[];
  profileId: string;
  deviceId: string;
}

/**
 * Sends one push for several items, the first of which stands for all: its tag replaces and closes them. The text of one is shown
 * where the member switched that on; of several the title of the first says what they are.
 * @returns whether the push service accepted it.
 */
export async function pushItems(
  context: PushContext,
  { first, more = [], profileId, deviceId }: Push,
  helpers: PushTry,
): Promise<boolean> {
  const items = [first, ...more];
  const { title, text, url, tag } = first;
  const areChats = items.every((item) => item.tag.startsWith(pushTag.chat('')));
  const arePlanChats = areChats && items.every((item) => item.url.startsWith('/manage-plans'));
  const listUrl = arePlanChats ? '/manage-plans' : areChats ? '/chats' : '/notifications';
  const closes = await readLately(context.database, profileId);
  return deliverPush(
    context,
    {
      deviceId,
      message: ({ showsText }) => ({
        ...{ title: summaryTitle(title, more.length), url: more.length === 0 ? url : listUrl },
        ...{ tag, topic: tag, closes },
        ...(showsText && more.length === 0 && text !== '' && { text }),
        urgency: items.every(({ urgency }) => urgency === 'normal') ? 'normal' : 'high',
      }),
    },
    helpers,
  );
}

/** Begins the pushes of a notification: a job for each device of its member, for each push service answers for itself. */
export async function enqueuePushes(
  database: Database,
  { id, profileId }: { id: string; profileId: string },
): Promise<void> {
  for (const { id: deviceId } of await memberDevices(database, profileId))
    await tasks.pushNotification.enqueue(database, { id, deviceId });
}

/** Notifications of a member that are to be pushed now, the newest first. */
interface DueNotifications {
  profileId: string;
  items: (PushItem & { id: string })[];
}

/**
 * Which of these notifications of a member are to be pushed: those that were not seen meanwhile, may be delivered still, and are
 * of a group whose pushes the member did not switch off. What quiet hours or a pause hold up is not, and waits for their end.
 */
export async function readDue(database: Database, ids: readonly string[]): Promise<DueNotifications | null> {
  const rows = await selectNotifications(database)
    .where(inArray(notifications.id, [...ids]))
    .orderBy(desc(notifications.createdAt), desc(notifications.id));
  const profileId = rows[0]?.notification.profileId;
  if (profileId === undefined) return null;
  const settings = await readStored(database, profileId);
  const actorIds = rows.map(({ notification: { actorId } }) => actorId);
  const recipient = await readRecipient(database, profileId, actorIds);
  if (recipient === null) return null;
  const now = nowDate();
  const items: DueNotifications['items'] = [];
  const held: { id: string; until: Date }[] = [];
  for (const row of rows) {
    const { id, event: name, inApp, readAt, pushedAt } = row.notification;
    const event = findEvent(name);
    const texts = presentTexts(row, recipient.name);
    if (event === undefined || texts === null || !isDeliverable(event, row, recipient)) continue;
    // One that is in no list is not seen there, though it counts as read once it was mailed.
    if ((inApp && readAt !== null) || !isChosen(settings, event.group, 'push')) continue;
    const until = heldUntil(settings, event, now);
    if (until === null) {
      const { title, text, link: url } = texts;
      const urgency = event.urgency === 'normal' ? 'normal' : 'high';
      items.push({ id, title, text, url, urgency, tag: pushTag.notification(id) });
    } else if (pushedAt === null) held.push({ id, until });
  }
  await hold(database, { profileId, way: 'push', items: held });
  return { profileId, items };
}

/** Notes that a device accepted the pushes of notifications. */
export const markPushed = (database: Database, ids: readonly string[]) =>
  database
    .update(notifications)
    .set({ pushedAt: sql`now()` })
    .where(and(inArray(notifications.id, [...ids]), isNull(notifications.pushedAt)));

/** Pushes a notification to a device, and notes that it accepted it. */
export async function pushNotification(
  context: PushContext,
  { id, deviceId }: { id: string; deviceId: string },
  helpers: PushTry,
): Promise<void> {
  const due = await readDue(context.database, [id]);
  const [first] = due?.items ?? [];
  if (due === null || first === undefined) return;
  if (await pushItems(context, { first, profileId: due.profileId, deviceId }, helpers))
    await markPushed(context.database, [id]);
}

/** Whether a member has a device that gets pushes: then there is no daily email. */
export const getsPushes = async (database: Database | Transaction, profileId: string): Promise<boolean> =>
  (await memberDevices(database, profileId)).length > 0;
