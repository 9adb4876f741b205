import type { NotificationGroup } from '@tara/contract/notifications/groups';
import { and, desc, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceChange } from './announce.ts';
import { notifications } from './tables.ts';

type MarkContext = Pick<Platform, 'database' | 'bus'>;

/** Notifications of one statement: the rest of many is marked by a job. */
const batchSize = 1_000;

/** Marks unread notifications of a member, the newest first; returns how many. */
async function markBatch(database: Database, profileId: string, condition: SQL | undefined): Promise<number> {
  const unread = database
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        eq(notifications.profileId, profileId),
        notifications.inApp,
        isNull(notifications.readAt),
        condition,
      ),
    )
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(batchSize);
  const marked = await database
    .update(notifications)
    .set({ readAt: sql`now()` })
    .where(and(inArray(notifications.id, unread), isNull(notifications.readAt)))
    .returning({ id: notifications.id });
  return marked.length;
}

/** Marks the viewer's notifications with these ids as read, and announces it to the viewer's other tabs. */
export async function markRead(
  { database, bus }: MarkContext,
  { profileId, accountId }: Viewer,
  ids: readonly string[],
): Promise<void> {
  const marked = await markBatch(database, profileId, inArray(notifications.id, [...ids]));
  if (marked > 0) bus.publish('notificationsChanged', { accountId });
}

interface MarkRange {
  /** ISO time of the newest one. */
  until: string;
  group?: NotificationGroup | undefined;
}

const inRange = ({ until, group }: MarkRange) =>
  and(lte(notifications.createdAt, new Date(until)), group && eq(notifications.groupName, group));

/** Marks the viewer's notifications as read, or those of a group; what comes meanwhile stays unread. */
export async function markAllRead(
  { database, bus }: MarkContext,
  { profileId, accountId }: Viewer,
  range: MarkRange,
): Promise<void> {
  const marked = await markBatch(database, profileId, inRange(range));
  if (marked === batchSize) await tasks.markNotifications.enqueue(database, { profileId, ...range });
  if (marked > 0) bus.publish('notificationsChanged', { accountId });
}

/** Marks the rest of a member's notifications, when there were too many for one call, and announces it as well. */
export async function markRest(
  { database, bus }: MarkContext,
  profileId: string,
  range: MarkRange,
): Promise<void> {
  const condition = inRange(range);
  while ((await markBatch(database, profileId, condition)) === batchSize);
  await database.transaction((transaction) => announceChange(transaction, { bus }, [profileId]));
}
