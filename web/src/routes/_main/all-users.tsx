import { createFileRoute } from '@tanstack/react-router';
import { searchLength } from '@tara/contract/limits';
import {
  PeopleScreen,
  PeopleSkeleton,
  peoplePages,
  peopleSearchQuery,
} from '../../features/profiles/PeopleScreen.tsx';
import { queryClient } from '../../lib/queries.ts';
import { textParams } from '../../lib/search.ts';

/** The search of the URL, cut to what can be searched for. */
const validateSearch = (params: Record<string, unknown>) => {
  const { search } = textParams('search')(params);
  return search === undefined ? {} : { search: search.slice(0, searchLength) };
};

export const Route = createFileRoute('/_main/all-users')({
  validateSearch,
  loader: ({ location }) => {
    // Not a dependency: the screen stays while its search changes the address, and reads what it searches by itself.
    const { search } = validateSearch(location.search);
    return search
      ? queryClient.ensureQueryData(peopleSearchQuery(search))
      : queryClient.ensureInfiniteQueryData(peoplePages);
  },
  component: PeopleScreen,
  pendingComponent: PeopleSkeleton,
});
