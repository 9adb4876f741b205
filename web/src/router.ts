import { createRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from './lib/search.ts';
import { routeTree } from './routeTree.gen.ts';
import { ErrorScreen, PageNotFound } from './shell/ErrorScreen.tsx';
import { LoadingScreen } from './ui/Spinner.tsx';

export const router = createRouter({
  routeTree,
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
  defaultPendingMs: 150,
  defaultPendingMinMs: 300,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** What the tab says before the screen itself knows better. */
    title?: string;
  }
}
