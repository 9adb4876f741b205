import { devices } from '@tara/contract/notifications/devices';
import { call, isProblem } from './call.ts';
import { forgetPush, pushAccount, reportPushStopped, storePushAccount } from './push-choice.ts';
import { subscriptionBody } from './push-subscription.ts';
import { trustedScriptUrl } from './script-url.ts';

/** ms until a service worker that does not start is not waited for. */
const WORKER_TIMEOUT_MS = 30_000;

/** This browser has no push service, or cannot reach it. */
class PushServiceAwayError extends Error {
  override name = 'PushServiceAwayError';
}

async function pushManager(): Promise<PushManager> {
  const { serviceWorker } = navigator;
  await serviceWorker.register(trustedScriptUrl('/service-worker.js'));
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The service worker did not start')), WORKER_TIMEOUT_MS);
  });
  const registration = await Promise.race([serviceWorker.ready, late]);
  return registration.pushManager;
}

const toBytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

const toBase64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** A new subscription with the server's key, in place of the one before. @throws PushServiceAwayError */
async function subscribe(publicKey: string): Promise<PushSubscription> {
  try {
    const manager = await pushManager();
    await (await manager.getSubscription())?.unsubscribe();
    return await manager.subscribe({ userVisibleOnly: true, applicationServerKey: toBytes(publicKey) });
  } catch (error) {
    throw new PushServiceAwayError('The browser made no subscription', { cause: error });
  }
}

/** What came of turning on: `dismissed` when the person closed the browser's question, `away` without a push service. */
export type TurnOnResult = 'on' | 'denied' | 'dismissed' | 'away';

/**
 * Asks for the browser's permission and lets this device get the member's notifications. Call it where the person pressed.
 * @throws ProblemError | OfflineError
 */
export async function turnOnPush(accountId: string): Promise<TurnOnResult> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'dismissed';
  const { publicKey } = await call(devices.list);
  try {
    await call(devices.register, { body: subscriptionBody(await subscribe(publicKey)) });
  } catch (error) {
    if (error instanceof PushServiceAwayError) return 'away';
    throw error;
  }
  storePushAccount(accountId);
  return 'on';
}

/** Ends the notifications of this device. @throws ProblemError | OfflineError */
export async function turnOffPush(deviceId: string): Promise<void> {
  await call(devices.remove, { body: { deviceId } });
  await forgetPush();
}

/** Sends the present subscription to the server, and subscribes anew when the server's key is another one. */
async function renew(subscription: PushSubscription): Promise<void> {
  const { publicKey } = await call(devices.renew, { body: subscriptionBody(subscription) });
  const { applicationServerKey } = subscription.options;
  if (applicationServerKey !== null && toBase64url(applicationServerKey) === publicKey) return;
  await call(devices.renew, { body: subscriptionBody(await subscribe(publicKey)) });
}

/** The subscription of this browser; one that it lost is made anew while the server still sends to this device. */
async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (subscription) return subscription;
  const { publicKey, devices: own } = await call(devices.list);
  return own.some(({ current }) => current) ? subscribe(publicKey) : null;
}

/** Has the server forget this device, whose browser shows nothing any more. */
async function removeCurrent(): Promise<void> {
  const { devices: own } = await call(devices.list);
  const current = own.find((device) => device.current);
  if (current) await call(devices.remove, { body: { deviceId: current.id } });
}

/**
 * At a start of the app: compares what the browser, the server and its key are now, and renews it. Where the notifications
 * have ended (the push service forgot the browser, or the device was removed), the member is told once.
 */
export async function syncPush(accountId: string): Promise<void> {
  const stored = pushAccount();
  if (stored === null) return;
  // The member before left without signing out.
  if (stored !== accountId) return forgetPush();
  try {
    if (Notification.permission !== 'granted') {
      reportPushStopped();
      return await removeCurrent();
    }
    const subscription = await currentSubscription();
    if (subscription === null) return reportPushStopped();
    await renew(subscription);
  } catch (error) {
    if (error instanceof PushServiceAwayError || isProblem(error, 'device_not_found', 'push_service_unknown'))
      return reportPushStopped();
    // Without a network: the next start looks again.
  }
}
