import { createFileRoute } from '@tanstack/react-router';
import {
  ExploreScreen,
  ExploreSkeleton,
  popularPages,
  postSearchQuery,
} from '../../features/posts/ExploreScreen.tsx';
import { queryClient } from '../../lib/queries.ts';
import { searchParam } from '../../lib/search.ts';

export const Route = createFileRoute('/_main/explore')({
  validateSearch: searchParam,
  loader: ({ location }) => {
    // Not a dependency: the screen stays while its search changes the address, and reads what it searches by itself.
    const { search } = searchParam(location.search);
    return search
      ? queryClient.ensureQueryData(postSearchQuery(search))
      : queryClient.ensureInfiniteQueryData(popularPages);
  },
  component: ExploreScreen,
  pendingComponent: ExploreSkeleton,
});
