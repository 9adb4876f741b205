import { createFileRoute } from '@tanstack/react-router';
import { ExploreScreen, loadExplore } from '../../features/posts/ExploreScreen.tsx';
import { ExploreSkeleton } from '../../features/posts/skeletons.tsx';
import { exploreParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/explore')({
  validateSearch: exploreParams,
  // Not a dependency: the screen stays while its search changes the address, and reads what it searches by itself.
  loader: ({ location }) => loadExplore(exploreParams(location.search)),
  component: ExploreScreen,
  pendingComponent: ExploreSkeleton,
});
