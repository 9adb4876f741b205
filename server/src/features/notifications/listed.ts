import { countLimit } from '@tara/contract/limits';
import { eventsByMembers } from '@tara/contract/notifications/events';
import { adminGroupNames } from '@tara/contract/notifications/groups';
import { and, eq, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import { contentVisibleTo } from '../visibility/index.ts';
import { notifications } from './tables.ts';

/**
 * The condition of the viewer's notifications: without what members did who are hidden from the viewer or whom the viewer
 * muted, and without what is for admins for who is none any more. Those of requests stay, whatever the two think of each
 * other.
 */
export const notificationListedFor = (viewer: Viewer): SQL | undefined => {
  const isVisible = contentVisibleTo(viewer, notifications.actorId);
  return and(
    eq(notifications.profileId, viewer.profileId),
    notifications.inApp,
    viewer.hasAdminLabel ? undefined : notInArray(notifications.groupName, adminGroupNames),
    isVisible && or(notInArray(notifications.event, eventsByMembers), isVisible),
  );
};

/** The notifications that the viewer has not read, to be counted: as many as are counted at most. */
export const unreadNotifications = (viewer: Viewer): SQL => sql`
  select from ${notifications} where ${and(notificationListedFor(viewer), isNull(notifications.readAt))}
  limit ${countLimit}`;
