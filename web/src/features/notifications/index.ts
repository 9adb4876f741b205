export { useNotificationUpdates, useUnreadNotifications } from './unread.ts';
