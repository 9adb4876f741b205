import { notificationsPerCall } from '@tara/contract/limits';
import { notifications } from '@tara/contract/notifications/notifications';
import { call } from './call.ts';

/** Closes what this device shows of notifications and messages that were read meanwhile, here or elsewhere. */
export async function closeReadPushes(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const shown = (await registration?.getNotifications()) ?? [];
  const tags = [...new Set(shown.map(({ tag }) => tag))].filter((tag) => tag !== '');
  if (tags.length === 0) return;
  const { read } = await call(notifications.findRead, {
    body: { tags: tags.slice(0, notificationsPerCall) },
  });
  for (const notification of shown) if (read.includes(notification.tag)) notification.close();
}
