import { createRootRoute, Outlet } from '@tanstack/react-router';
import { useFocusOnNavigation } from '../shell/focus-heading.ts';
import { SkipLink } from '../shell/SkipLink.tsx';
import { Overlays } from '../ui/Overlays.tsx';

export const Route = createRootRoute({ component: Root });

function Root() {
  useFocusOnNavigation();
  return (
    <>
      <SkipLink />
      <Outlet />
      <Overlays />
    </>
  );
}
