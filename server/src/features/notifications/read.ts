import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { files, pictureColumns } from '../files/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import { hiddenName } from '../visibility/index.ts';
import { notificationRequests, notifications } from './tables.ts';

/** Who did it, or the other party of the request. */
export const other = alias(profiles, 'other');

/**
 * Notifications with what their texts say: the request, and the other member with the name by which its recipient knows
 * them once one of the two blocked the other.
 * @param mayBeHidden whether the other can be hidden; where it is known that nobody is, no name is looked for.
 */
export const selectNotifications = (database: Database | Transaction, mayBeHidden: SQL = sql`true`) => {
  const name = sql<
    string | null
  >`case when ${mayBeHidden} then ${hiddenName(notifications.profileId, other.id)} end`;
  return database
    .select({
      notification: getTableColumns(notifications),
      request: {
        planTitle: notificationRequests.planTitle,
        priceCentavos: notificationRequests.priceCentavos,
        clientId: notificationRequests.clientId,
        paidAt: notificationRequests.paidAt,
        chatId: notificationRequests.chatId,
        stage: notificationRequests.stage,
      },
      other: personColumns(other),
      picture: pictureColumns(files),
      hiddenName: name.as('hidden_name'),
      // As long as its request is open the two read it although one is hidden from the other.
      isChatHidden: sql<boolean>`${name} is not null and not ${notificationRequests.isOpen}`,
    })
    .from(notifications)
    .leftJoin(notificationRequests, eq(notificationRequests.id, notifications.interactionId))
    .leftJoin(
      other,
      eq(
        other.id,
        sql`coalesce(${notifications.actorId}, case when ${notifications.profileId} = ${notificationRequests.clientId}
          then ${notificationRequests.creatorId} else ${notificationRequests.clientId} end)`,
      ),
    )
    .leftJoin(files, eq(files.id, other.imageId))
    .$dynamic();
};

export type NotificationRow = Awaited<ReturnType<typeof selectNotifications>>[number];
