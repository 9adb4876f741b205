import { retry } from '@tara/contract/limits';
import { type ComponentType, createElement, use } from 'react';
import { ScreenUnavailableError } from './call.ts';

type ServerStatus = 'unreachable' | 'reachable' | 'new version';

/** URL of the entry script of this page. */
const entryScript = () => document.querySelector('script[type=module][src]')?.getAttribute('src');

/** Fetches the start page: whether the server is reachable, and whether it still serves this version. */
async function checkServer(): Promise<ServerStatus> {
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    if (!answer.ok) return 'unreachable';
    const page = await answer.text();
    const script = entryScript();
    return !script || page.includes(script) ? 'reachable' : 'new version';
  } catch {
    // No network or no server: checked again later.
    return 'unreachable';
  }
}

/**
 * Calls `onReachable` each time that the server answers, until the returned function is called: at once when the network
 * is back or the window becomes visible, and in growing intervals (§8). A page whose version is no longer served is
 * reloaded, which is safe because the server has just responded.
 */
export function watchServer(onReachable: () => Promise<void>, reload = () => location.reload()): () => void {
  let isStopped = false;
  let attempt = 0;
  let isChecking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    clearTimeout(timer);
    if (!isStopped)
      timer = setTimeout(check, Math.min(retry.firstDelayMs * 2 ** attempt, retry.longestDelayMs));
  };
  const check = async () => {
    if (isChecking || isStopped) return;
    isChecking = true;
    const answer = await checkServer();
    if (!isStopped && answer === 'new version') reload();
    else if (!isStopped && answer === 'reachable') await onReachable();
    isChecking = false;
    attempt += 1;
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

/** Loads a chunk once; after a failure the next call loads it again. @throws ScreenUnavailableError */
function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw new ScreenUnavailableError(error);
    });
    return loading;
  };
}

/**
 * A component of a route whose code is a chunk of its own. It replaces the router's `lazyRouteComponent`
 * (vite.config.ts swaps them), which reloads the window when the chunk is missing: without a network or with the server
 * restarting that ends in the browser's error page. Here `preload` rejects, and the router shows the error screen.
 */
export function lazyRouteComponent<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType & { preload: () => Promise<void> | undefined } {
  let screen: ComponentType | undefined;
  const loadModule = loadOnce(load);
  const preload = (): Promise<void> | undefined => {
    if (screen) return undefined;
    return loadModule().then((module) => {
      screen = module[name];
    });
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once per route, as React.lazy is
  function LazyScreen(props: object) {
    return createElement(screen ?? use(loadModule())[name], props);
  }
  return Object.assign(LazyScreen, { preload });
}

/** A loader whose code is in the chunk of its screen: replaces the router's `lazyFn`. */
export function lazyFn<Name extends string, Args extends unknown[], Result>(
  load: () => Promise<Record<Name, (...args: Args) => Result | Promise<Result>>>,
  name: Name,
): (...args: Args) => Promise<Result> {
  const loadModule = loadOnce(load);
  return async (...args) => (await loadModule())[name](...args);
}
