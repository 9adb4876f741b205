// The calls and jobs of notifications are bound by `feature-list.ts`: they read accounts and profiles, which notify as well.
export { readLines } from './lines.ts';
export { unreadNotifications } from './listed.ts';
export { type News, notify } from './notify.ts';
export { notifications } from './tables.ts';
