import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { queryClient } from '../lib/queries.ts';
import { Overlays } from '../ui/Overlays.tsx';

/**
 * Shows an element as the screen at `/`, with the dialogs and toasts of the app; every other address shows its own path.
 * Answers the router, to go elsewhere.
 */
export async function renderScreen(element: ReactElement) {
  const root = createRootRoute({
    component: () => (
      <>
        <Outlet />
        <Overlays />
      </>
    ),
  });
  const screenRoute = createRoute({ getParentRoute: () => root, path: '/', component: () => element });
  const elsewhere = createRoute({
    getParentRoute: () => root,
    path: '$',
    component: () => <p>{`At ${router.state.location.pathname}`}</p>,
  });
  const router = createRouter({
    routeTree: root.addChildren([screenRoute, elsewhere]),
    history: createMemoryHistory(),
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await act(() => router.load());
  return router;
}
