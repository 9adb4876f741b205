import { readNotificationDays } from '@tara/contract/limits';
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import { notificationRequests, notifications } from './tables.ts';

const batchSize = 500;

/**
 * Deletes notifications that were read 90 days ago, but for those of open requests: a plan chat that opens later begins with
 * what happened before.
 */
export async function removeReadNotifications(
  database: Database,
  helpers: Pick<JobHelpers, 'log' | 'signal'>,
): Promise<void> {
  const round = () =>
    workItems(
      { database, ...helpers },
      {
        name: 'notifications.removeRead',
        select: (isDue) =>
          database
            .select({ id: notifications.id })
            .from(notifications)
            .leftJoin(notificationRequests, eq(notificationRequests.id, notifications.interactionId))
            .where(
              and(
                lt(notifications.readAt, sql`now() - make_interval(days => ${readNotificationDays})`),
                or(isNull(notificationRequests.id), eq(notificationRequests.isOpen, false)),
                isDue(notifications.id),
              ),
            )
            .orderBy(notifications.readAt)
            .limit(batchSize),
        id: ({ id }) => id,
        work: ({ id }) => database.delete(notifications).where(inArray(notifications.id, [id])),
      },
    );
  while ((await round()) === batchSize);
}
