import { create } from 'zustand';
import { storedItem, storeItem } from '../ui/browser-storage.ts';

/** Has the account whose notifications this browser gets. */
const onKey = 'tara-push';
/** Is set when the member does not want to be asked again here. */
const laterKey = 'tara-push-later';

/**
 * Whether this browser can get notifications: `install` on iPhones and iPads, where only the app of the Home Screen can;
 * `denied` when the person blocked them.
 */
export type PushSupport = 'supported' | 'install' | 'unsupported' | 'denied';

const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** What of Web Push this browser offers now. */
export function pushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'denied' : 'supported';
  return isApple() && !matchMedia('(display-mode: standalone)').matches ? 'install' : 'unsupported';
}

/** The account whose notifications this browser gets; null for none. */
export const pushAccount = (): string | null => storedItem(onKey);

/** Remembers whose notifications this browser gets. */
export const storePushAccount = (accountId: string | null): void => storeItem(onKey, accountId);

/** Why the card about notifications is on screen: what was just sent, or that they stopped. */
export type PushReason = 'request' | 'message' | 'stopped';

export const usePushCard = create<{ reason: PushReason | null }>(() => ({ reason: null }));

/** Shows the card that explains what notifications are for, once what they would be about was sent; never after 'Not now'. */
export function offerPush(reason: 'request' | 'message'): void {
  if (pushSupport() !== 'supported' || pushAccount() !== null || storedItem(laterKey) !== null) return;
  if (usePushCard.getState().reason === null) usePushCard.setState({ reason });
}

/** Says that this browser gets no notifications any more. */
export const reportPushStopped = () => usePushCard.setState({ reason: 'stopped' });

/** Takes the card away. */
export const closePushCard = () => usePushCard.setState({ reason: null });

/** 'Not now': nobody is asked here again. The settings still have the switch. */
export function declinePush(): void {
  storePushAccount(null);
  storeItem(laterKey, '');
  closePushCard();
}

/** Closes what this browser shows of a member who is signed in no more, when it gets notifications of one. */
export async function closeShownPushes(): Promise<void> {
  if (pushAccount() !== null) await closeShown();
}

async function closeShown(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  return registration;
}

/** Ends the notifications of this browser, and closes those that it shows, when a member leaves it. */
export async function forgetPush(): Promise<void> {
  closePushCard();
  if (pushAccount() === null) return;
  storePushAccount(null);
  const registration = await closeShown();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
