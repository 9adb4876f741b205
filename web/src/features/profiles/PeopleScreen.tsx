import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { tooLong } from '@tara/contract/fields';
import { displayLength, searchLength, timer } from '@tara/contract/limits';
import { type Profile, peopleSearchLabel, profiles } from '@tara/contract/members/profiles';
import { type ReactNode, Suspense, useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { pagesOf, queryOf, useLoaded, useLoadedPages } from '../../lib/queries.ts';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { PersonName } from '../../ui/facts.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Card, EmptyState, Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { PersonCardSkeletons } from './skeletons.tsx';

interface SearchText {
  /** What the search box shows. */
  text: string;
  setText: (text: string) => void;
  /** Why the text cannot be searched for. */
  problem: string | undefined;
  /** The pause in typing is not over. */
  isWaiting: boolean;
}

/** The text of the search box of a screen, written to its URL after a pause in typing (§9). */
export function useSearchText(to: '/all-users' | '/explore', search: string): SearchText {
  const navigate = useNavigate();
  const router = useRouter();
  const [typed, setTyped] = useState({ text: search, search });
  // A navigation, e.g. Back, replaces the typed text by the search of the new URL.
  const text = typed.search === search ? typed.text : search;
  const problem = text.trim().length > searchLength ? tooLong(searchLength) : undefined;
  const updateUrl = useEffectEvent(() => {
    const wanted = text.trim();
    // Do not navigate back if the person has already left the screen.
    if (wanted === search || problem !== undefined || router.latestLocation.pathname !== to) return;
    setTyped({ text, search: wanted });
    void navigate({
      to,
      // What else the address says of the screen stays.
      search: (before: object) => ({ ...before, search: wanted === '' ? undefined : wanted }),
      replace: true,
      resetScroll: false,
    });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text starts the wait again
  useEffect(() => {
    const timeout = setTimeout(() => updateUrl(), timer.searchDebounceMs);
    return () => clearTimeout(timeout);
  }, [text]);
  return {
    text,
    setText: (next) => setTyped({ text: next, search }),
    problem,
    isWaiting: problem === undefined && text.trim() !== search,
  };
}

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
        label={peopleSearchLabel}
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
          scene="cat"
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
  return (
    <PagedList
      list={useLoadedPages(peoplePages)}
      empty={{
        scene: 'together',
        title: 'Nobody else is here yet',
        text: 'Tell your friends about Tara; they will appear here.',
      }}
    >
      {(people) => <PeopleGrid people={people} />}
    </PagedList>
  );
}

interface PeopleGridProps {
  people: Profile[];
  action?: (person: Profile) => ReactNode;
}

/** People as cards, each a link to the profile. */
export function PeopleGrid({ people, action }: PeopleGridProps) {
  return (
    <ul className="tiles">
      {people.map((person) => (
        <li key={person.id}>
          <PersonCard person={person} action={action?.(person)} />
        </li>
      ))}
    </ul>
  );
}

/** A member in a grid of people; all of it leads to the profile but its `action`. */
export function PersonCard({ person, action }: { person: Profile; action?: ReactNode }) {
  const { id, username, bio } = person;
  return (
    <Card interactive className="relative flex h-full flex-col items-center text-center">
      <PersonAvatar person={person} size="xl" />
      <Link
        to="/profile/$id"
        params={{ id }}
        // The link covers the card, to make it easy to press.
        className="mt-3 flex max-w-full font-semibold after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-lagoon"
      >
        <PersonName person={person} />
      </Link>
      <span className="max-w-full truncate text-sm text-ink-soft">@{username}</span>
      {bio && <span className="mt-2 text-sm wrap-anywhere text-ink-soft">{bioPreview(bio)}</span>}
      {action && <span className="relative z-10 mt-auto pt-3">{action}</span>}
    </Card>
  );
}

/** The first 41 characters of a longer bio (§9). Counts code points, so that an emoji is one character. */
export function bioPreview(bio: string): string {
  const characters = [...bio];
  return characters.length > displayLength.bio ? `${characters.slice(0, displayLength.bio).join('')}…` : bio;
}
