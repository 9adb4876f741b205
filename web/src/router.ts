import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from './lib/url.ts';
import { routeTree } from './routeTree.gen.ts';
import { ErrorScreen } from './shell/ErrorScreen.tsx';
import { PageNotFound } from './shell/PageNotFound.tsx';
import { LoadingScreen } from './ui/LoadingScreen.tsx';

interface AppRouterOptions {
  /** Other than the browser's own. */
  history?: RouterHistory;
  /**
   * Milliseconds until the first screen shows a skeleton. Until then the page shows the logo, and to members the places of
   * bars and posts (index.html). Most data is there sooner, and a skeleton makes a phone render twice and wait for `pendingMinMs`.
   */
  firstPendingMs?: number;
  /** Milliseconds until a later screen shows a skeleton. */
  pendingMs?: number;
  /** Milliseconds that a skeleton stays at least. */
  pendingMinMs?: number;
}

const newRouter = (history: RouterHistory | undefined, pendingMs: number, pendingMinMs: number) =>
  createRouter({
    routeTree,
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    // Code and data of a screen are preloaded on hover or touch of its link.
    defaultPreload: 'intent',
    // The queries decide how long data stays fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // A screen of another record is remounted, without state of the previous one.
    defaultRemountDeps: ({ params }) => params,
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: PageNotFound,
    defaultPendingComponent: LoadingScreen,
    defaultPendingMs: pendingMs,
    defaultPendingMinMs: pendingMinMs,
  });

/** A router of the app's screens. */
export function createAppRouter({
  history,
  firstPendingMs = 1_000,
  pendingMs = 150,
  pendingMinMs = 300,
}: AppRouterOptions = {}) {
  const router = newRouter(history, firstPendingMs, pendingMinMs);
  const stop = router.subscribe('onRendered', () => {
    stop();
    router.update({ ...router.options, defaultPendingMs: pendingMs });
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface StaticDataRouteOption {
    /** The document title until the screen sets its own. */
    title?: string;
  }
}
