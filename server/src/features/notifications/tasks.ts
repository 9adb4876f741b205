import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { deliverNotifications, mailNotification } from './deliver.ts';
import { markRest } from './mark.ts';
import { pushNotification } from './push.ts';
import { pushChat, pushChatToDevice } from './push-chat.ts';
import { pushHeld } from './push-held.ts';
import { deliverHeld, mailDaily } from './summary.ts';
import { removeReadNotifications } from './sweep.ts';

/** Jobs of this feature. */
export const notificationTasks = (
  context: Pick<Platform, 'config' | 'database' | 'bus' | 'sealer' | 'push' | 'log' | 'isOnline'>,
) => ({
  ...tasks.deliverNotifications.handledBy(({ ids }) => deliverNotifications(context, ids)),
  ...tasks.mailNotification.handledBy(({ id }) => mailNotification(context, id)),
  ...tasks.pushNotification.handledBy((job, helpers) => pushNotification(context, job, helpers)),
  ...tasks.pushHeld.handledBy((job, helpers) => pushHeld(context, job, helpers)),
  ...tasks.pushChat.handledBy((reader) => pushChat(context, reader)),
  ...tasks.pushChatToDevice.handledBy((job, helpers) => pushChatToDevice(context, job, helpers)),
  ...tasks.deliverHeld.handledBy(({ profileId }) => deliverHeld(context, profileId)),
  ...tasks.mailDaily.handledBy(({ profileId }) => mailDaily(context, profileId)),
  ...tasks.markNotifications.handledBy(({ profileId, ...range }) => markRest(context, profileId, range)),
  ...tasks.removeReadNotifications.handledBy((_job, helpers) =>
    removeReadNotifications(context.database, helpers),
  ),
});
