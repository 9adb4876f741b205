import { countedNotifications, pageSize } from '@tara/contract/limits';
import { eventsByMembers } from '@tara/contract/notifications/events';
import type { NotificationGroup } from '@tara/contract/notifications/groups';
import type { Notification } from '@tara/contract/notifications/notifications';
import type { PageOf } from '@tara/contract/page';
import { and, eq, inArray, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { contentVisibleTo } from '../visibility/index.ts';
import { presentNotification } from './present.ts';
import { other, selectNotifications } from './read.ts';
import { notifications } from './tables.ts';

/**
 * The condition of the viewer's notifications: without what members did who are hidden from the viewer or whom the viewer
 * muted. Those of requests stay, whatever the two think of each other.
 */
export const notificationListedFor = (viewer: Viewer): SQL | undefined => {
  const isVisible = contentVisibleTo(viewer, notifications.actorId);
  return and(
    eq(notifications.profileId, viewer.profileId),
    notifications.inApp,
    isVisible &&
      or(isNull(notifications.actorId), notInArray(notifications.event, eventsByMembers), isVisible),
  );
};

/** What the viewer was notified of, newest first. */
export async function listNotifications(
  database: Database,
  viewer: Viewer,
  { cursor, group }: { cursor?: string | undefined; group?: NotificationGroup | undefined },
): Promise<PageOf<Notification>> {
  const mayBeHidden =
    viewer.hiddenProfileIds.length === 0 ? sql`false` : inArray(other.id, [...viewer.hiddenProfileIds]);
  const page = await readPage(cursor, {
    size: pageSize.notifications,
    sortedBy: { time: notifications.createdAt, id: notifications.id },
    query: selectNotifications(database, mayBeHidden),
    where: and(notificationListedFor(viewer), group && eq(notifications.groupName, group)),
    present: (row) => presentNotification(row, viewer.name),
    toCursor: ({ notification: { createdAt: at, id } }) => ({ at, id }),
  });
  // One of an event that only an older or newer version knows has no texts.
  return { ...page, items: page.items.filter((item) => item !== null) };
}

/** How many notifications the viewer has not read, counted up to a limit. */
export async function countUnread(database: Database, viewer: Viewer): Promise<number> {
  const unread = database
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(notificationListedFor(viewer), isNull(notifications.readAt)))
    .limit(countedNotifications);
  return database.$count(unread.as('unread'));
}
