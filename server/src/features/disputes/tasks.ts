import { and, asc, eq, sql } from 'drizzle-orm';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { interactions } from '../interactions/index.ts';
import { notifications, notify } from '../notifications/index.ts';
import { withoutAnswer } from './cases.ts';

const batchSize = 200;

/** Notifies the parties of requests whose client said nothing for a week that an admin decides, once. */
const notifyUnanswered = (
  { database }: Pick<Platform, 'database'>,
  helpers: Pick<JobHelpers, 'log' | 'signal'>,
) =>
  workItems(
    { database, ...helpers },
    {
      name: 'disputes.notifyUnanswered',
      select: (isDue) =>
        database
          .select({ id: interactions.id })
          .from(interactions)
          .where(
            and(
              withoutAnswer(),
              sql`not exists (select from ${notifications} where ${eq(notifications.interactionId, interactions.id)}
                and ${notifications.event} = 'noAnswer')`,
              isDue(interactions.id),
            ),
          )
          .orderBy(asc(interactions.dayStartsAt))
          .limit(batchSize),
      id: ({ id }) => id,
      work: ({ id }) =>
        database.transaction((transaction) =>
          notify(transaction, { event: 'noAnswer', interactionId: id, to: ['client', 'creator'] }),
        ),
    },
  );

/** Jobs of this feature. */
export const disputeTasks = (context: Pick<Platform, 'database'>) =>
  tasks.notifyUnanswered.handledBy(async (_job, helpers) => void (await notifyUnanswered(context, helpers)));
