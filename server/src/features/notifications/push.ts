import { findEvent } from '@tara/contract/notifications/events';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { accountDevices, deliverPush } from '../devices/index.ts';
import { notificationCan } from './policy.ts';
import { presentTexts } from './present.ts';
import { pushTag, readLately } from './push-tags.ts';
import { selectNotifications } from './read.ts';
import { readRecipient } from './recipient.ts';
import { notifications } from './tables.ts';

/** Begins the pushes of a notification: a job for each device of its member, for each push service answers for itself. */
export async function enqueuePushes(
  database: Database,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  for (const { id: deviceId } of await accountDevices(database, accountId))
    await tasks.pushNotification.enqueue(database, { id, deviceId });
}

/**
 * Pushes a notification to a device, unless it was read meanwhile or may not be delivered any more, and notes that a device
 * accepted it. Its text can have what others wrote, and is shown where the member switched that on.
 */
export async function pushNotification(
  context: Pick<Platform, 'database' | 'push' | 'log'>,
  { id, deviceId }: { id: string; deviceId: string },
  helpers: Pick<JobHelpers, 'attempt' | 'maxAttempts'>,
): Promise<void> {
  const { database } = context;
  const [row] = await selectNotifications(database).where(eq(notifications.id, id));
  if (row === undefined || row.notification.readAt !== null) return;
  const { event: name, profileId, actorId } = row.notification;
  const event = findEvent(name);
  const recipient = await readRecipient(database, profileId, actorId);
  const texts = presentTexts(row, recipient?.name ?? '');
  if (event === undefined || recipient === undefined || texts === null) return;
  if (!notificationCan.deliver(event, { ...recipient, isFromHidden: row.hiddenName !== null })) return;
  const { title, text, link: url } = texts;
  const tag = pushTag.notification(id);
  const closes = await readLately(database, profileId);
  const isAccepted = await deliverPush(
    context,
    {
      deviceId,
      message: ({ showsText }) => ({
        ...{ title, url, tag, topic: tag, closes },
        ...(showsText && text !== '' && { text }),
        urgency: event.urgency === 'normal' ? 'normal' : 'high',
      }),
    },
    helpers,
  );
  if (!isAccepted) return;
  await database
    .update(notifications)
    .set({ pushedAt: sql`now()` })
    .where(and(eq(notifications.id, id), isNull(notifications.pushedAt)));
}
