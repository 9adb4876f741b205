import { useInfiniteQuery } from '@tanstack/react-query';
import { profiles } from '@tara/contract/profiles';
import { UsersRound } from 'lucide-react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { itemsOf, pagesOf } from '../../lib/queries.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { PeopleGrid, PeopleSkeletons } from './PersonCard.tsx';

/** Everyone but oneself by last update, 20 a page. */
export function PeopleList() {
  const people = useInfiniteQuery(pagesOf(profiles.people));
  if (people.isPending) return <PeopleSkeletons />;
  if (people.isLoadingError) {
    return (
      <ErrorState
        {...wordsOfFailure(people.error)}
        retrying={people.isFetching}
        onRetry={() => void people.refetch()}
      />
    );
  }
  // Someone who changed meanwhile stands in two pages.
  const shown = [...new Map(itemsOf(people.data).map((person) => [person.id, person])).values()];
  if (shown.length === 0) {
    return (
      <EmptyState
        icon={UsersRound}
        title="Nobody else is here yet"
        text="Tell your friends about Tara; they will appear here."
      />
    );
  }
  return (
    <InfiniteList
      hasMore={people.hasNextPage}
      pending={people.isFetchingNextPage}
      failed={people.isFetchNextPageError}
      loadMore={() => void people.fetchNextPage()}
    >
      <PeopleGrid people={shown} />
    </InfiniteList>
  );
}
