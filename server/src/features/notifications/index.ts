// The calls and jobs of notifications are bound by `feature-list.ts`: they read accounts and profiles, which notify as well.
export { isActiveMember, isClosedMember } from './closed.ts';
export { notifyGroup, renameGroups } from './grouped.ts';
export { readLines } from './lines.ts';
export { unreadNotifications } from './listed.ts';
export { notify } from './notify.ts';
export { forgetEvent, forgetNotifications, withdrawByMember } from './remove.ts';
export { notificationSettings, notifications } from './tables.ts';
