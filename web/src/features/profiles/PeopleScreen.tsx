import { getRouteApi } from '@tanstack/react-router';
import { type Profile, profiles } from '@tara/contract/profiles';
import { SearchX, UsersRound } from 'lucide-react';
import { Suspense, useDeferredValue } from 'react';
import { pagesOf, queryOf, useLoaded, useLoadedPages } from '../../lib/queries.ts';
import { useSearchText } from '../../lib/use-search-text.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { EmptyState, Page, Skeleton } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { PersonCard, PersonCardSkeletons } from './PersonCard.tsx';

const route = getRouteApi('/_main/all-users');

/** All members but the viewer by last update, 20 per page. */
export const peoplePages = pagesOf(profiles.people);
/** The members with all words of this text; one page only (§2). */
export const peopleSearchQuery = (search: string) => queryOf(profiles.people, { query: { search } });

/** `/all-users` (§2): a grid of all other members, or of the search results; the search is in the URL. */
export function PeopleScreen() {
  const { search = '' } = route.useSearch();
  const { text, setText, problem, isWaiting } = useSearchText('/all-users', search);
  // The current results stay until the next ones are loaded.
  const shown = useDeferredValue(search);
  return (
    <Page title="Find Friends" intro="People who would like to hang out, too." width="grid">
      <SearchBox
        label="Search people by name or hobby"
        value={text}
        onChange={setText}
        problem={problem}
        pending={isWaiting || shown !== search}
        className="mb-5 max-w-feed"
      />
      <Suspense fallback={<PersonCardSkeletons />}>
        {shown === '' ? <PeopleList /> : <PeopleSearchResults search={shown} />}
      </Suspense>
    </Page>
  );
}

export function PeopleSearchResults({ search }: { search: string }) {
  const { items: people } = useLoaded(peopleSearchQuery(search));
  return (
    <>
      <p role="status" className={people.length === 0 ? 'sr-only' : 'mb-4 text-ink-soft'}>
        {people.length === 1 ? '1 person found' : `${people.length} people found`}
      </p>
      {people.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={`Nobody matches “${search}”`}
          text="Every word must be in the name, the username or the hobby. Try fewer words."
          className="wrap-anywhere"
        />
      ) : (
        <PeopleGrid people={people} />
      )}
    </>
  );
}

export function PeopleList() {
  const { items: people, more } = useLoadedPages(peoplePages);
  if (people.length === 0) {
    return (
      <EmptyState
        icon={UsersRound}
        title="Nobody else is here yet"
        text="Tell your friends about Tara; they will appear here."
      />
    );
  }
  return (
    <InfiniteList {...more}>
      <PeopleGrid people={people} />
    </InfiniteList>
  );
}

/** People as cards, each a link to the profile. */
export function PeopleGrid({ people }: { people: Profile[] }) {
  return (
    <ul className="tiles">
      {people.map((person) => (
        <li key={person.id}>
          <PersonCard person={person} />
        </li>
      ))}
    </ul>
  );
}

/** The skeleton of the screen. */
export function PeopleSkeleton() {
  return (
    <Page title="Find Friends" intro="People who would like to hang out, too." width="grid">
      <Skeleton shape="box" height={48} className="mb-5 max-w-feed rounded-full!" />
      <PersonCardSkeletons />
    </Page>
  );
}
