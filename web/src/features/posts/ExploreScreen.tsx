import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { pageSize } from '@tara/contract/limits';
import { peopleSearchLabel } from '@tara/contract/members/profiles';
import { posts } from '@tara/contract/posts/posts';
import { type ReactNode, Suspense, useDeferredValue } from 'react';
import { loadPage } from '../../lib/load-page.ts';
import { pagesOf, queryClient, queryOf, useLoaded, useLoadedPages } from '../../lib/queries.ts';
import { linkClass } from '../../ui/Button.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Badge } from '../../ui/marks.tsx';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { type PlanParams, PlanSearch, PlanTiles, planSearchPages } from '../plans/index.ts';
import {
  PeopleGrid,
  PeopleList,
  PeopleSearchResults,
  peoplePages,
  peopleSearchQuery,
  useSearchText,
} from '../profiles/index.ts';
import { PersonCardSkeletons } from '../profiles/skeletons.tsx';
import { noPosts } from './PostCard.tsx';
import { PostGrid } from './PostGrid.tsx';
import { PostGridSkeletons } from './skeletons.tsx';

const route = getRouteApi('/_main/explore');

/** Posts by their likes; never refetched automatically, because that would shift the posts being looked at. */
const popularPages = { ...pagesOf(posts.popular), staleTime: 5 * 60_000 };
/** The posts with all words of this text; one page only (§2). */
const postSearchQuery = (search: string) => queryOf(posts.search, { query: { search } });

/** What Explore shows; all of it unless one kind is chosen. */
const kinds = [
  { value: 'all', label: 'All', searches: 'Search posts, plans and people' },
  { value: 'posts', label: 'Posts', searches: 'Search posts by caption, tag or place' },
  { value: 'plans', label: 'Plans', searches: 'Search plans by title or description' },
  { value: 'people', label: 'People', searches: peopleSearchLabel },
] as const;
type Kind = (typeof kinds)[number];

const findKind = (show: string | undefined): Kind => kinds.find(({ value }) => value === show) ?? kinds[0];

export interface ExploreParams extends PlanParams {
  show?: string;
}

/** Loads what the address names. */
export async function loadExplore(params: ExploreParams): Promise<unknown> {
  const { search = '', show } = params;
  const loads = {
    posts: () =>
      search ? queryClient.ensureQueryData(postSearchQuery(search)) : loadPage('/explore', { posts }),
    plans: () => queryClient.ensureInfiniteQueryData(planSearchPages(planParams(params))),
    people: () =>
      search
        ? queryClient.ensureQueryData(peopleSearchQuery(search))
        : queryClient.ensureInfiniteQueryData(peoplePages),
  };
  const { value } = findKind(show);
  if (value !== 'all') return loads[value]();
  if (search === '') return loads.posts();
  const plansWithWords = queryClient.ensureInfiniteQueryData(planSearchPages({ search }));
  return Promise.all([loads.posts(), plansWithWords, loads.people()]);
}

/** The filter of plans within the address. */
const planParams = ({ show: _, ...params }: ExploreParams): PlanParams => params;

/** `/explore` (§2): the popular posts, or the search results instead; the search and the filter are in the URL. */
export function ExploreScreen() {
  const params = route.useSearch();
  const navigate = useNavigate();
  const { search = '' } = params;
  const { text, setText, problem, isWaiting } = useSearchText('/explore', search);
  const kind = findKind(params.show);
  // The current results stay until the next ones are loaded.
  const shown = useDeferredValue(search);
  return (
    <Page title="Search Post" width="grid">
      <SearchBox
        label={kind.searches}
        value={text}
        onChange={setText}
        problem={problem}
        pending={isWaiting || shown !== search}
        className="mb-4 max-w-feed"
      />
      <Segmented
        label="Filter"
        value={kind.value}
        onChange={(show) =>
          void navigate({
            to: '/explore',
            search: { search: search || undefined, show: show === 'all' ? undefined : show },
            replace: true,
            resetScroll: false,
          })
        }
        options={kinds}
        className="mb-6 max-sm:flex"
      />
      {kind.value === 'plans' ? (
        <PlanSearch params={planParams({ ...params, search: shown })} />
      ) : (
        <Suspense
          key={kind.value}
          fallback={
            kind.value === 'people' ? <PersonCardSkeletons /> : <PostGridSkeletons count={pageSize.popular} />
          }
        >
          <Results kind={kind.value} search={shown} />
        </Suspense>
      )}
    </Page>
  );
}

function Results({ kind, search }: { kind: 'all' | 'posts' | 'people'; search: string }) {
  if (kind === 'people') return search === '' ? <PeopleList /> : <PeopleSearchResults search={search} />;
  if (search === '') return <PopularPosts />;
  return kind === 'all' ? <EveryResult search={search} /> : <PostSearchResults search={search} />;
}

/** How many plans and people are shown above the posts. */
const foremost = 4;

/** A few of the plans and people with all words, each with a link to the others, and the posts below. */
function EveryResult({ search }: { search: string }) {
  // Each is read by its own component, so that none waits for another.
  return (
    <div className="flex flex-col gap-8">
      <FoundPlans search={search} />
      <FoundPeople search={search} />
      <PostSearchResults search={search} emptyState={<NothingFound search={search} />} />
    </div>
  );
}

function FoundPlans({ search }: { search: string }) {
  const { items, more } = useLoadedPages(planSearchPages({ search }));
  return (
    <FoundSection show="plans" search={search} items={items} hasMore={more.hasMore}>
      {(plans) => <PlanTiles plans={plans} />}
    </FoundSection>
  );
}

function FoundPeople({ search }: { search: string }) {
  const { items } = useLoaded(peopleSearchQuery(search));
  return (
    <FoundSection show="people" search={search} items={items}>
      {(people) => <PeopleGrid people={people} />}
    </FoundSection>
  );
}

/** In place of the posts of a search of everything. */
function NothingFound({ search }: { search: string }) {
  const plans = useLoadedPages(planSearchPages({ search })).items;
  const people = useLoaded(peopleSearchQuery(search)).items;
  if (plans.length + people.length > 0) return <NoPost search={search} />;
  return (
    <EmptyState
      illustration="cat"
      title={`Nothing matches “${search}”`}
      text="No post, plan or person has every word of it. Try fewer words."
      className="wrap-anywhere"
    />
  );
}

const NoPost = ({ search }: { search: string }) => (
  <EmptyState
    illustration="cat"
    title={`No post matches “${search}”`}
    text="Every word must be in the caption, the tags or the place. Try fewer words."
    className="wrap-anywhere"
  />
);

interface FoundSectionProps<Item> {
  show: Kind['value'];
  search: string;
  items: Item[];
  /** There are more than `items`. */
  hasMore?: boolean;
  children: (items: Item[]) => ReactNode;
}

/** The foremost of what was found of one kind, with a link to the others. */
function FoundSection<Item>({ show, search, items, hasMore = false, children }: FoundSectionProps<Item>) {
  const { label } = findKind(show);
  if (items.length === 0) return null;
  return (
    <section aria-label={label}>
      <div className="mb-3 flex min-h-11 items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{label}</h2>
        {(hasMore || items.length > foremost) && (
          <Link to="/explore" search={{ search, show }} className={linkClass}>
            All {label.toLowerCase()}
          </Link>
        )}
      </div>
      {children(items.slice(0, foremost))}
    </section>
  );
}

function PopularHeader() {
  return (
    <div className="mb-4 flex items-center gap-3">
      <h2 className="text-lg font-semibold">Popular Today</h2>
      <Badge>All</Badge>
    </div>
  );
}

function PopularPosts() {
  const list = useLoadedPages(popularPages);
  return (
    <section aria-label="Popular Today">
      <PopularHeader />
      <PagedList list={list} empty={{ illustration: 'lanterns', ...noPosts }} end="You have seen all posts.">
        {(items) => <PostGrid posts={items} marksRecent />}
      </PagedList>
    </section>
  );
}

interface PostSearchResultsProps {
  search: string;
  emptyState?: ReactNode;
}

function PostSearchResults({ search, emptyState = <NoPost search={search} /> }: PostSearchResultsProps) {
  const { items } = useLoaded(postSearchQuery(search));
  return (
    <section aria-label="Search results">
      <p role="status" className={items.length === 0 ? 'sr-only' : 'mb-4 text-ink-soft'}>
        {items.length === 1 ? '1 post found' : `${items.length} posts found`}
      </p>
      {items.length === 0 ? emptyState : <PostGrid posts={items} marksRecent />}
    </section>
  );
}
