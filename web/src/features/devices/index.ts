export { deviceIcon, deviceLabel } from './labels.ts';
export { NotificationSettings } from './NotificationSettings.tsx';
