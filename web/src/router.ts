import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from './lib/search.ts';
import { routeTree } from './routeTree.gen.ts';
import { ErrorScreen, PageNotFound } from './shell/ErrorScreen.tsx';
import { LoadingScreen } from './ui/Spinner.tsx';

interface AppRouterOptions {
  /** Other than the browser's own. */
  history?: RouterHistory;
  /** Milliseconds until a skeleton is shown. */
  pendingMs?: number;
  /** Milliseconds that a skeleton stays at least. */
  pendingMinMs?: number;
}

/** A router of the app's screens. */
export const createAppRouter = ({ history, pendingMs = 150, pendingMinMs = 300 }: AppRouterOptions = {}) =>
  createRouter({
    routeTree,
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    // A screen's code and data are fetched when a finger or pointer is about to press its link.
    defaultPreload: 'intent',
    // How long data stays fresh is decided by the queries alone.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // Another record is another screen: no state of the one before stays.
    defaultRemountDeps: ({ params }) => params,
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: PageNotFound,
    defaultPendingComponent: LoadingScreen,
    defaultPendingMs: pendingMs,
    defaultPendingMinMs: pendingMinMs,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface StaticDataRouteOption {
    /** What the tab says before the screen itself knows better. */
    title?: string;
  }
}
