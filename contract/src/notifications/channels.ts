import type { Channels } from './event.ts';

/** The ways of notifications that a member chooses by group, in the order of the settings. */
export const notificationChannels = {
  inApp: { label: 'In the app' },
  push: { label: 'Push' },
  email: { label: 'Email' },
} as const satisfies Record<keyof Channels, { label: string }>;

export type NotificationChannel = keyof typeof notificationChannels;

/** All of them, in the order of the settings. */
export const notificationChannelNames = Object.keys(notificationChannels) as [NotificationChannel];
