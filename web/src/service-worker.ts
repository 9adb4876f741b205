import { pushRenewalPath, serverPaths } from '@tara/contract/url';
import { PrecacheController, type PrecacheEntry } from 'workbox-precaching';
import { subscriptionBody } from './lib/push-subscription.ts';

// The service worker of the installed app: the shell and the code of one version are stored when it is installed, so that
// the app starts without a network. It stores nothing of a member; lib/stored-replies.ts does, in the page.

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: PrecacheEntry[] };

/** What did not come after this time is not waited for: a network that hangs is none. */
const timeoutMs = 10_000;
const shell = '/index.html';
const cacheName = 'tara-app';

const stored = new PrecacheController({ cacheName });
stored.addToCacheList(self.__WB_MANIFEST);

const isPage = ({ pathname }: URL) => !serverPaths.test(pathname) && !/\.[a-z0-9]{2,11}$/i.test(pathname);

/** What a proxy answers for a server that is not there. */
const isAway = ({ status }: Response) => status === 502 || status === 503 || status === 504;

/** Asks the network first, in time; where no server of ours answers, what is stored. */
async function askFirst(request: Request, storedAs: string): Promise<Response> {
  const inTime = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('No answer in time')), timeoutMs);
  });
  try {
    const answer = await Promise.race([fetch(request), inTime]);
    if (!isAway(answer)) return answer;
    return (await stored.matchPrecache(storedAs)) ?? answer;
  } catch (error) {
    const file = await stored.matchPrecache(storedAs);
    if (file === undefined) throw error;
    return file;
  }
}

/** A file whose name holds a hash of its content, also of a version that another tab still shows. */
async function readAsset(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(request.url)) ?? fetch(request);
}

self.addEventListener('install', (event) => {
  event.waitUntil(stored.install(event));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // Another tab may show the version before: its files stay until the next one.
      const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      if (windows.length < 2) await stored.activate(event);
      // The page of the first visit gets its further code from the device, too.
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', ({ data }) => {
  if (data === 'activate') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    // The page comes with what it reads first, and in the newest version.
    if (isPage(url)) event.respondWith(askFirst(request, shell));
  } else if (url.pathname.startsWith('/assets/')) event.respondWith(readAsset(request));
  else if (stored.getCacheKeyForURL(url.href) !== undefined)
    event.respondWith(askFirst(request, url.pathname));
});

/** A notification as the server sends it (server/src/platform/push.ts). */
interface Pushed {
  title: string;
  text?: string;
  url: string;
  tag?: string;
  closes?: string[];
}

function readPush(data: PushMessageData | null): Pushed {
  try {
    if (data !== null) return data.json() as Pushed;
  } catch {
    // As without data.
  }
  // Browsers require that each push shows something.
  return { title: 'Tara', text: 'There is something new for you.', url: '/' };
}

async function closeTag(tag: string): Promise<void> {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close();
}

async function showPush({ title, text, url, tag, closes = [] }: Pushed): Promise<void> {
  await self.registration.showNotification(title, {
    ...(text !== undefined && { body: text }),
    ...(tag !== undefined && { tag }),
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    data: { url },
  });
  // What was seen elsewhere since then.
  for (const closed of closes) if (closed !== tag) await closeTag(closed);
}

/** How long a window has to say that it opens the screen, ms. */
const openTimeoutMs = 1_000;

/** Asks the app in a window to open a screen, which loads nothing anew; false when it does not answer. */
function openIn(client: Client, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    setTimeout(() => resolve(false), openTimeoutMs);
    port1.onmessage = () => resolve(true);
    client.postMessage({ open: path }, [port2]);
  });
}

/** Opens the screen of a notification in the window that is open, else in a new one. */
async function openScreen(url: string): Promise<void> {
  const { origin, pathname, search, hash } = new URL(url, self.location.origin);
  const path = origin === self.location.origin ? pathname + search + hash : '/';
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const client = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0];
  if (client === undefined) return void (await self.clients.openWindow(path));
  // Refused where the click is over: the screen is opened all the same.
  await client.focus().catch(() => undefined);
  if (!(await openIn(client, path))) await client.navigate(path).catch(() => self.clients.openWindow(path));
}

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(readPush(event.data)));
});

self.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(openScreen((notification.data as { url?: string } | null)?.url ?? '/'));
});

/** The browser replaced its subscription, or ended it: the server gets the new one. What fails here, the next start mends. */
async function renewSubscription({
  newSubscription,
  oldSubscription,
}: PushSubscriptionChangeEvent): Promise<void> {
  const applicationServerKey = oldSubscription?.options.applicationServerKey;
  if (newSubscription === null && !applicationServerKey) return;
  const subscription =
    newSubscription ??
    (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  await fetch(pushRenewalPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(subscriptionBody(subscription)),
  });
}

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event));
});
