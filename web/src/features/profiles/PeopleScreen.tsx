import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { pageSize, searchLength, timer } from '@tara/contract/limits';
import { type Profile, profiles } from '@tara/contract/profiles';
import { SearchX, UsersRound } from 'lucide-react';
import { Suspense, useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { pagesOf, queryOf, useLoaded, useLoadedPages } from '../../lib/queries.ts';
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
/** The members whose name contains this text; one page only (§2). */
export const peopleSearchQuery = (name: string) => queryOf(profiles.people, { query: { search: name } });

/** `/all-users` (§2): a grid of all other members, or of the search results; the search is in the URL. */
export function PeopleScreen() {
  const { search = '' } = route.useSearch();
  const [text, setText] = useSearchText(search);
  // The current results stay until the next ones are loaded.
  const shown = useDeferredValue(search);
  return (
    <Page title="Find Friends" intro="People who would like to hang out, too." width="grid">
      <SearchBox
        label="Search people by name"
        value={text}
        onChange={setText}
        maxLength={searchLength}
        pending={text.trim() !== search || shown !== search}
        className="mb-5 max-w-feed"
      />
      <Suspense fallback={<PeopleCardsSkeleton />}>
        {shown === '' ? <PeopleList /> : <PeopleSearchResults name={shown} />}
      </Suspense>
    </Page>
  );
}

/** The text of the search box, written to the URL after a pause in typing (§9). */
function useSearchText(search: string): [text: string, setText: (text: string) => void] {
  const navigate = useNavigate();
  const router = useRouter();
  const [typed, setTyped] = useState({ text: search, search });
  // A navigation, e.g. Back, replaces the typed text by the search of the new URL.
  const text = typed.search === search ? typed.text : search;
  const updateUrl = useEffectEvent(() => {
    const wanted = text.trim();
    // Do not navigate back if the person has already left for a profile.
    if (wanted === search || router.latestLocation.pathname !== '/all-users') return;
    setTyped({ text, search: wanted });
    void navigate({
      to: '/all-users',
      search: wanted === '' ? {} : { search: wanted },
      replace: true,
      resetScroll: false,
    });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text starts the wait again
  useEffect(() => {
    const timeout = setTimeout(() => updateUrl(), timer.searchDebounceMs);
    return () => clearTimeout(timeout);
  }, [text]);
  return [text, (next) => setTyped({ text: next, search })];
}

function PeopleSearchResults({ name }: { name: string }) {
  const { items: people } = useLoaded(peopleSearchQuery(name));
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
