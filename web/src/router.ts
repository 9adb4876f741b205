import { createRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from './lib/search.ts';
import { routeTree } from './routeTree.gen.ts';
import { Crashed } from './shell/Crashed.tsx';
import { PageNotFound } from './shell/PageNotFound.tsx';
import { Waiting } from './shell/Waiting.tsx';

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  // A link is fetched when a finger or pointer is about to press it.
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: Crashed,
  defaultNotFoundComponent: PageNotFound,
  defaultPendingComponent: Waiting,
  defaultPendingMs: 400,
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
