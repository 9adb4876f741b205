import { getRouteApi, Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { pageSize } from '@tara/contract/limits';
import { type Profile, profiles } from '@tara/contract/profiles';
import { SearchX, UsersRound } from 'lucide-react';
import { Suspense, useDeferredValue } from 'react';
import { pagesOf, queryOf, useLoaded, useLoadedPages } from '../../lib/queries.ts';
import { useSearchText } from '../../lib/use-search-text.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { VerifiedMark } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';
import { bioPreview } from './bio-preview.ts';

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
      <Suspense fallback={<PeopleCardsSkeleton />}>
        {shown === '' ? <PeopleList /> : <PeopleSearchResults search={shown} />}
      </Suspense>
    </Page>
  );
}

function PeopleSearchResults({ search }: { search: string }) {
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

function PeopleList() {
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
function PeopleGrid({ people }: { people: Profile[] }) {
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

function PersonCard({ person }: { person: Profile }) {
  const { id, name, username, picture, verified, bio } = person;
  return (
    <Link to="/profile/$id" params={{ id }} className="block h-full rounded-card">
      <Card interactive className="flex h-full flex-col items-center text-center">
        <Avatar name={name} src={urlAtWidth(picture.imageUrl, 320)} size="xl" />
        <span className="mt-3 flex max-w-full items-center gap-1.5">
          <span className="truncate font-semibold">{name}</span>
          {verified && <VerifiedMark size={16} />}
        </span>
        <span className="max-w-full truncate text-sm text-ink-soft">@{username}</span>
        {bio && <span className="mt-2 text-sm wrap-anywhere text-ink-soft">{bioPreview(bio)}</span>}
      </Card>
    </Link>
  );
}

/** The skeleton of the screen. */
export function PeopleSkeleton() {
  return (
    <Page title="Find Friends" intro="People who would like to hang out, too." width="grid">
      <Skeleton shape="box" height={48} className="mb-5 max-w-feed rounded-full!" />
      <PeopleCardsSkeleton />
    </Page>
  );
}

function PeopleCardsSkeleton() {
  return (
    <Skeletons count={pageSize.people} label="Loading people" className="tiles">
      {() => (
        <Card className="flex flex-col items-center">
          <Skeleton shape="circle" width={96} />
          <Skeleton width="60%" className="mt-4" />
          <Skeleton width="40%" />
        </Card>
      )}
    </Skeletons>
  );
}
