import { retry } from '@tara/contract/limits';
import { SCREEN_UNAVAILABLE } from './call.ts';

type ServerStatus = 'unreachable' | 'reachable' | 'new version';

/** The addresses of this page's own scripts: of a version at least one is its own. */
const pageScripts = () =>
  [...document.querySelectorAll('script[type=module][src]')].map(
    (script) => script.getAttribute('src') ?? '',
  );

/** Fetches the start page: whether the server is reachable, and whether it still serves this version. */
export async function checkServer(): Promise<ServerStatus> {
  try {
    const answer = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(retry.longestDelayMs) });
    if (!answer.ok) return 'unreachable';
    const page = await answer.text();
    return pageScripts().every((script) => page.includes(script)) ? 'reachable' : 'new version';
  } catch {
    // No network or no server: checked again later.
    return 'unreachable';
  }
}

/** How often the server was checked, by which the intervals grow. */
export interface Attempts {
  count: number;
}

/**
 * Calls `onReachable` each time that the server answers, until the returned function is called: at once when the network
 * is back or the window becomes visible, and in growing intervals (§8). It is told whether the server serves another
 * version of the page by now.
 * @param attempts those of an earlier watch, where this one continues it.
 */
export function watchServer(
  onReachable: (isNewVersion: boolean) => Promise<void>,
  attempts: Attempts = { count: 0 },
): () => void {
  let isStopped = false;
  let isChecking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    clearTimeout(timer);
    if (!isStopped)
      timer = setTimeout(check, Math.min(retry.firstDelayMs * 2 ** attempts.count, retry.longestDelayMs));
  };
  const check = async () => {
    if (isChecking || isStopped) return;
    isChecking = true;
    const answer = await checkServer();
    attempts.count += 1;
    if (!isStopped && answer !== 'unreachable') await onReachable(answer === 'new version');
    isChecking = false;
    schedule();
  };
  const checkNow = () => {
    if (document.visibilityState === 'visible') void check();
  };
  addEventListener('online', checkNow);
  document.addEventListener('visibilitychange', checkNow);
  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    removeEventListener('online', checkNow);
    document.removeEventListener('visibilitychange', checkNow);
  };
}

/**
 * Makes the error of a chunk that could not be loaded ours, before the router sees it: for an error of the browser's words it
 * reloads the window, which without a network or with the server restarting ends in the browser's error page. With this
 * one it shows the error screen, and loads the chunk again at the next try.
 */
export function keepWindowWithoutChunk(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = SCREEN_UNAVAILABLE;
  });
}
