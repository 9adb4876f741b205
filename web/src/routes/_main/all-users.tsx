import { createFileRoute } from '@tanstack/react-router';
import { profiles } from '@tara/contract/members/profiles';
import { PeopleScreen, peopleSearchQuery } from '../../features/profiles/PeopleScreen.tsx';
import { PeopleSkeleton } from '../../features/profiles/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';
import { queryClient } from '../../lib/queries.ts';
import { searchParam } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/all-users')({
  validateSearch: searchParam,
  loader: ({ location }) => {
    // Not a dependency: the screen stays while its search changes the address, and reads what it searches by itself.
    const { search } = searchParam(location.search);
    return search
      ? queryClient.ensureQueryData(peopleSearchQuery(search))
      : loadPage('/all-users', { profiles });
  },
  component: PeopleScreen,
  pendingComponent: PeopleSkeleton,
});
