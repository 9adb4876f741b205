import { toast } from '../ui/feedback.ts';
import { checkServer } from './recovery.ts';
import { trustedScriptUrl } from './script-url.ts';

/** How often a page that stays open looks for a new version, in ms. */
const LOOK_EVERY_MS = 1_800_000;

function offer(load: () => void): void {
  toast({
    title: 'A new version of Tara is ready',
    text: 'Load it when it suits you; what you wrote stays.',
    durationMs: Number.POSITIVE_INFINITY,
    action: { label: 'Load it now', onPress: load },
  });
}

/**
 * Stores the app on this device, so that it starts without a network, and offers each newer version: it is loaded when the
 * person says so, or with the next page load.
 */
export async function storeApp(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(trustedScriptUrl('/service-worker.js'));
  const reload = () => location.reload();

  const look = async () => {
    const { waiting } = registration;
    // Without one before it is this version's own.
    if (waiting === null || serviceWorker.controller === null) return;
    const server = await checkServer();
    // This page was loaded since then, and is the newer version.
    if (server === 'reachable') waiting.postMessage('activate');
    if (server !== 'new version') return;
    offer(() => {
      // Another tab may have gone on to it meanwhile, or to a newer one.
      const next = registration.waiting;
      if (next === null) return reload();
      serviceWorker.removeEventListener('controllerchange', offerReload);
      serviceWorker.addEventListener('controllerchange', reload, { once: true });
      next.postMessage('activate');
    });
  };
  /** Another tab went on to the new version. */
  const offerReload = async () => {
    if ((await checkServer()) === 'new version') offer(reload);
  };

  serviceWorker.addEventListener('controllerchange', offerReload);
  const watchInstalling = () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') void look();
    });
  };
  registration.addEventListener('updatefound', watchInstalling);
  // It may have begun with the page's load.
  watchInstalling();
  let lookedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = Date.now();
    registration.update().catch(() => undefined);
  });
  await look();
}
