import { retry } from '@tara/contract/limits';

type Answer = 'unreachable' | 'reachable' | 'new version';

/** Address of the script that this page was started by. */
const entryScript = () => document.querySelector('script[type=module][src]')?.getAttribute('src');

/** Asks for the page that starts the web: whether there is a server, and whether it still serves what runs here. */
async function askServer(): Promise<Answer> {
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    if (!answer.ok) return 'unreachable';
    const page = await answer.text();
    const script = entryScript();
    return !script || page.includes(script) ? 'reachable' : 'new version';
  } catch {
    // No network or no server: asked again later.
    return 'unreachable';
  }
}

/**
 * Calls `onReachable` each time that the server answers, until the returned function is called: at once when the network
 * is back or the window is looked at again, and in growing intervals (§8). A page whose code is no longer served is
 * loaded anew, which is safe because the server has just answered.
 */
export function watchServer(onReachable: () => Promise<void>, reload = () => location.reload()): () => void {
  let over = false;
  let attempt = 0;
  let asking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    clearTimeout(timer);
    if (!over) timer = setTimeout(ask, Math.min(retry.firstDelay * 2 ** attempt, retry.longestDelay));
  };
  const ask = async () => {
    if (asking || over) return;
    asking = true;
    const answer = await askServer();
    if (!over && answer === 'new version') reload();
    else if (!over && answer === 'reachable') await onReachable();
    asking = false;
    attempt += 1;
    schedule();
  };
  const askNow = () => {
    if (document.visibilityState === 'visible') void ask();
  };
  addEventListener('online', askNow);
  document.addEventListener('visibilitychange', askNow);
  schedule();
  return () => {
    over = true;
    clearTimeout(timer);
    removeEventListener('online', askNow);
    document.removeEventListener('visibilitychange', askNow);
  };
}
