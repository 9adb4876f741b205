import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { deliverNotifications, mailNotification } from './deliver.ts';

/** Jobs of this feature. */
export const notificationTasks = (context: Pick<Platform, 'config' | 'database' | 'bus' | 'sealer'>) => ({
  ...tasks.deliverNotifications.handledBy(({ ids }) => deliverNotifications(context, ids)),
  ...tasks.mailNotification.handledBy(({ id }) => mailNotification(context, id)),
});
