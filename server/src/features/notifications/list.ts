import { pageSize } from '@tara/contract/limits';
import type { NotificationGroup } from '@tara/contract/notifications/groups';
import type { Notification } from '@tara/contract/notifications/notifications';
import type { PageOf } from '@tara/contract/page';
import { and, eq, sql } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import { isAmong } from '../../platform/database/among.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { notificationListedFor } from './listed.ts';
import { presentNotification } from './present.ts';
import { other, selectNotifications } from './read.ts';
import { notifications } from './tables.ts';

/** What the viewer was notified of, newest first. */
export async function listNotifications(
  database: Database,
  viewer: Viewer,
  { cursor, group }: { cursor?: string | undefined; group?: NotificationGroup | undefined },
): Promise<PageOf<Notification>> {
  const mayBeHidden =
    viewer.hiddenProfileIds.length === 0 ? sql`false` : isAmong(other.id, viewer.hiddenProfileIds);
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
