import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { profiles } from '@tara/contract/profiles';
import { SearchX } from 'lucide-react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { queryOf } from '../../lib/queries.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PeopleGrid, PeopleSkeletons } from './PersonCard.tsx';

/** Who has this in their name; instead of the list, without further pages (§2). */
export function FoundPeople({ name }: { name: string }) {
  const found = useQuery({
    ...queryOf(profiles.people, { query: { search: name } }),
    placeholderData: keepPreviousData,
  });
  if (found.isPending) return <PeopleSkeletons />;
  if (found.isError)
    return <ErrorState {...wordsOfFailure(found.error)} onRetry={() => void found.refetch()} />;
  const people = found.data.items;
  return (
    <>
      <p role="status" className="sr-only">
        {people.length === 1 ? '1 person found' : `${people.length} people found`}
      </p>
      {people.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={`Nobody is called “${name}”`}
          text="Try another part of the name."
        />
      ) : (
        <PeopleGrid people={people} />
      )}
    </>
  );
}
