export { deviceIcon, deviceLabel } from './labels.ts';
export { NotificationSection } from './NotificationSection.tsx';
