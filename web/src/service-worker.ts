import { serverPaths } from '@tara/contract/url';
import { PrecacheController, type PrecacheEntry } from 'workbox-precaching';

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
