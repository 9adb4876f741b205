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
    if ((await checkServer()) === 'reachable') {
      // This page was loaded since then, and is the newer version.
      waiting.postMessage('activate');
      return;
    }
    offer(() => {
      serviceWorker.removeEventListener('controllerchange', offerReload);
      serviceWorker.addEventListener('controllerchange', reload, { once: true });
      waiting.postMessage('activate');
    });
  };
  /** Another tab went on to the new version. */
  const offerReload = async () => {
    if ((await checkServer()) === 'new version') offer(reload);
  };

  serviceWorker.addEventListener('controllerchange', offerReload);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') void look();
    });
  });
  let lookedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = Date.now();
    registration.update().catch(() => undefined);
  });
  await look();
}
