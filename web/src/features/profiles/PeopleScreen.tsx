import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { tooLong } from '@tara/contract/fields';
import { displayLength, previewQuality, searchLength, timer } from '@tara/contract/limits';
import {
  cityKey,
  hobbiesOf,
  type Profile,
  peopleSearchLabel,
  profiles,
} from '@tara/contract/members/profiles';
import { clsx } from 'clsx';
import { Sparkles } from 'lucide-react';
import { type ReactNode, Suspense, useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { pagesOf, queryOf, useLoaded, useLoadedPages } from '../../lib/queries.ts';
import { StoredPicture } from '../../lib/stored-picture.tsx';
import { PersonName, RatingLine } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { useSession } from '../accounts/index.ts';
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

/** All members but the viewer, those of the own city first, 20 per page. */
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
          illustration="cat"
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
        illustration: 'together',
        title: 'Nobody else is here yet',
        text: 'Tell your friends about Tara; they will appear here.',
      }}
    >
      {(people) => <PeopleParts people={people} />}
    </PagedList>
  );
}

/** The people of the viewer's city under its name, then the others; the server lists them so. */
function PeopleParts({ people }: { people: Profile[] }) {
  const { city } = useSession().profile;
  const key = cityKey(city);
  const near = key === '' ? [] : people.filter((person) => cityKey(person.city) === key);
  if (near.length === 0) return <PeopleGrid people={people} />;
  const others = people.slice(near.length);
  return (
    <div className="flex flex-col gap-10">
      <section aria-label={`In ${city}`}>
        <h2 className="mb-4 text-xl font-bold tracking-tight">In {city}</h2>
        <PeopleGrid people={near} />
      </section>
      {others.length > 0 && (
        <section aria-label="Elsewhere">
          <h2 className="mb-4 text-xl font-bold tracking-tight">Elsewhere</h2>
          <PeopleGrid people={others} />
        </section>
      )}
    </div>
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
  const { id, username, bio, city, rating } = person;
  return (
    <article className="group relative flex h-full flex-col gap-2">
      <Portrait person={person} />
      <div className="flex min-w-0 flex-col">
        <Link
          to="/profile/$id"
          params={{ id }}
          // The link covers the card, to make it easy to press.
          className="flex max-w-full text-lg font-semibold after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-lagoon"
        >
          <PersonName person={person} />
        </Link>
        <span className="truncate text-sm text-ink-soft">
          @{username}
          {city && ` · ${city}`}
        </span>
        {rating.stars !== null && (
          <span className="text-sm text-ink-soft">
            <RatingLine rating={rating} />
          </span>
        )}
      </div>
      {bio && <span className="text-sm wrap-anywhere">{bioPreview(bio)}</span>}
      <HobbyChips person={person} limit={CARD_HOBBIES} />
      {action && <span className="relative z-10 mt-auto pt-1">{action}</span>}
    </article>
  );
}

/** A member in a row of three: photo, name and city. */
export function PersonTile({ person }: { person: Profile }) {
  return (
    <article className="group relative flex min-w-0 flex-col gap-1.5">
      <Portrait person={person} />
      <Link
        to="/profile/$id"
        params={{ id: person.id }}
        className="flex max-w-full leading-snug font-semibold after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-lagoon"
      >
        <PersonName person={person} />
      </Link>
      {person.city && <span className="-mt-1.5 truncate text-sm text-ink-soft">{person.city}</span>}
    </article>
  );
}

/** How many interests a card shows. */
const CARD_HOBBIES = 3;

/** The photo of a member as large as the card; the first letter of the name where there is none. */
function Portrait({ person: { name, picture } }: { person: Profile }) {
  const shape = 'aspect-4/5 w-full overflow-hidden rounded-card';
  if (picture.imageId === null) {
    return <Avatar name={name} size="fill" className={shape} />;
  }
  return (
    <StoredPicture
      picture={picture}
      quality={previewQuality.card}
      alt=""
      ratio="4 / 5"
      sizes="(min-width: 640px) 260px, 45vw"
      className={`${shape} transition-opacity group-hover:opacity-90`}
    />
  );
}

/** Interests of a member as chips; those that the viewer has as well are marked. */
export function HobbyChips({ person, limit }: { person: Profile; limit?: number }) {
  const viewer = useSession().profile;
  const own = new Set(viewer.id === person.id ? [] : hobbiesOf(viewer).map((name) => name.toLowerCase()));
  const hobbies = hobbiesOf(person).slice(0, limit);
  if (hobbies.length === 0) return null;
  const isCommon = (name: string) => own.has(name.toLowerCase());
  return (
    <ul aria-label="Hobbies" className="flex flex-wrap gap-1.5">
      {hobbies.map((name) => (
        <li
          key={name}
          className={clsx(
            'inline-flex max-w-full items-center gap-1 rounded-full px-3 py-1 text-sm font-medium',
            isCommon(name) ? 'bg-leaf-soft text-leaf' : 'bg-ink/8 text-ink',
          )}
        >
          {isCommon(name) && <Icon of={Sparkles} size={14} />}
          <span className="truncate">{name}</span>
          {isCommon(name) && <span className="sr-only">, in common</span>}
        </li>
      ))}
    </ul>
  );
}

/** The first 41 characters of a longer bio (§9). Counts code points, so that an emoji is one character. */
export function bioPreview(bio: string): string {
  const characters = [...bio];
  return characters.length > displayLength.bio ? `${characters.slice(0, displayLength.bio).join('')}…` : bio;
}
