// biome-ignore lint/style/noRestrictedImports: people to write to, in a dialog, which says itself that it loads.
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { tooLong } from '@tara/contract/fields';
import { interactions, partyOf } from '@tara/contract/interactions/interactions';
import { searchLength } from '@tara/contract/limits';
import { type Person, peopleSearchLabel, profiles } from '@tara/contract/members/profiles';
import { type ReactNode, useState } from 'react';
import { allItems, pagesOf, queryOf } from '../../lib/queries.ts';
import { useSearchAfterPause } from '../../lib/search-pause.ts';
import { PersonSummary } from '../../lib/stored-picture.tsx';
import { Spinner } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { ErrorState, PersonSkeleton, Skeletons } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { useSession } from '../accounts/index.ts';

interface ListProps {
  /** Profile id of the member whose chat is being opened. */
  openingId: string | null;
  onChoose: (person: Person) => void;
}

interface NewChatDialogProps extends ListProps {
  onClose: () => void;
}

/** 'New chat': friends, people with a plan together, and a search of all; choosing one opens the conversation. */
export default function NewChatDialog({ onClose, ...list }: NewChatDialogProps) {
  const [text, setText] = useState('');
  const search = useSearchAfterPause(text);
  const problem = text.trim().length > searchLength ? tooLong(searchLength) : undefined;
  return (
    <ResponsiveDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="New chat"
      description="Whom do you want to write to?"
      size="md"
    >
      {/* As high with few people as with many: the dialog stays where it is while one searches. */}
      <div className="flex h-[min(56dvh,30rem)] flex-col gap-4">
        <SearchBox
          label={peopleSearchLabel}
          value={text}
          onChange={setText}
          problem={problem}
          pending={problem === undefined && search !== text.trim()}
          className="p-0.5"
        />
        <div className="-mx-2 min-h-0 flex-1 overflow-y-auto px-2">
          {search === '' || problem !== undefined ? (
            <Acquaintances {...list} />
          ) : (
            <SearchResults search={search} {...list} />
          )}
        </div>
      </div>
    </ResponsiveDialog>
  );
}

const friendPages = pagesOf(profiles.friends);

/** Who has a plan with the viewer, and the viewer's friends. */
function Acquaintances(list: ListProps) {
  const { account } = useSession();
  const requests = useQuery(queryOf(interactions.manager));
  const friends = useInfiniteQuery(friendPages);
  if (requests.isPending || friends.isPending) return <PeopleSkeletons />;
  const retry = () => {
    void requests.refetch();
    void friends.refetch();
  };
  if (!requests.data || !friends.data)
    return <ErrorState onRetry={retry} retrying={requests.isFetching || friends.isFetching} />;
  const planPeople = new Map(
    Object.values(requests.data)
      .flatMap(({ items }) => items)
      .map((request) => (partyOf(request, account.id) === 'creator' ? request.whoSentReq : request.creator))
      // Somebody who is hidden is a name alone.
      .filter(({ id }) => id !== '')
      .map((person) => [person.id, person]),
  );
  const others = allItems(friends.data).filter(({ id }) => !planPeople.has(id));
  if (planPeople.size === 0 && others.length === 0)
    return (
      <p className="px-4 py-10 text-center text-ink-soft">
        Search for somebody by name or hobby. Your friends and people you have a plan with appear here.
      </p>
    );
  return (
    <>
      {planPeople.size > 0 && (
        <Group title="You have a plan together">
          <People people={[...planPeople.values()]} {...list} />
        </Group>
      )}
      {others.length > 0 && (
        <Group title="Friends">
          <InfiniteList
            hasMore={friends.hasNextPage}
            pending={friends.isFetchingNextPage}
            failed={friends.isFetchNextPageError}
            loadMore={() => void friends.fetchNextPage()}
          >
            <People people={others} {...list} />
          </InfiniteList>
        </Group>
      )}
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mb-4">
      <h3 className="mb-1 px-2 text-sm font-semibold text-ink-soft">{title}</h3>
      {children}
    </section>
  );
}

/** All members with every word of the text. */
function SearchResults({ search, ...list }: ListProps & { search: string }) {
  const results = useQuery({
    ...queryOf(profiles.people, { query: { search } }),
    placeholderData: keepPreviousData,
  });
  if (results.isPending) return <PeopleSkeletons />;
  if (!results.data)
    return <ErrorState onRetry={() => void results.refetch()} retrying={results.isFetching} />;
  const { items } = results.data;
  return (
    <>
      <p
        role="status"
        className={items.length > 0 ? 'sr-only' : 'px-4 py-10 text-center wrap-anywhere text-ink-soft'}
      >
        {items.length === 0
          ? `Nobody matches “${search}”`
          : items.length === 1
            ? '1 person found'
            : `${items.length} people found`}
      </p>
      <People people={items} {...list} />
    </>
  );
}

function People({ people, openingId, onChoose }: ListProps & { people: readonly Person[] }) {
  return (
    <ul>
      {people.map((person) => (
        <li key={person.id}>
          <button
            type="button"
            aria-busy={openingId === person.id || undefined}
            onClick={() => onChoose(person)}
            className="flex min-h-14 w-full items-center gap-3 rounded-control p-2 text-left -outline-offset-2 hover:bg-sunken"
          >
            <PersonSummary person={person} />
            {openingId === person.id && <Spinner />}
          </button>
        </li>
      ))}
    </ul>
  );
}

const PeopleSkeletons = () => (
  <Skeletons count={6} label="Loading people">
    {() => (
      <div className="flex min-h-14 items-center gap-3 p-2">
        <PersonSkeleton />
      </div>
    )}
  </Skeletons>
);
