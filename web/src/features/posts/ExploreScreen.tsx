import { getRouteApi, Link } from '@tanstack/react-router';
import { pageSize } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts';
import { Compass, SearchX } from 'lucide-react';
import { Suspense, useDeferredValue } from 'react';
import { pagesOf, queryOf, useLoaded, useLoadedPages } from '../../lib/queries.ts';
import { useSearchText } from '../../lib/use-search-text.ts';
import { Badge } from '../../ui/Badge.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { PostGrid, PostGridSkeletons } from './PostGrid.tsx';

const route = getRouteApi('/_main/explore');

/** Posts by their likes; never refetched automatically, because that would shift the posts being looked at. */
export const popularPages = { ...pagesOf(posts.popular), staleTime: 5 * 60_000 };
/** The posts with all words of this text; one page only (§2). */
export const postSearchQuery = (search: string) => queryOf(posts.search, { query: { search } });

/** `/explore` (§2): the popular posts, or the search results instead; the search is in the URL. */
export function ExploreScreen() {
  const { search = '' } = route.useSearch();
  const { text, setText, problem, isWaiting } = useSearchText('/explore', search);
  // The current results stay until the next ones are loaded.
  const shown = useDeferredValue(search);
  return (
    <Page title="Search Post" width="grid">
      <SearchBox
        label="Search posts by caption, tag or place"
        value={text}
        onChange={setText}
        problem={problem}
        pending={isWaiting || shown !== search}
        className="mb-6 max-w-feed"
      />
      <Suspense fallback={<PostGridSkeletons count={pageSize.popular} />}>
        {shown === '' ? <PopularPosts /> : <PostSearchResults search={shown} />}
      </Suspense>
    </Page>
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
  const { items, more } = useLoadedPages(popularPages);
  return (
    <section aria-label="Popular Today">
      <PopularHeader />
      {items.length === 0 && (
        <EmptyState
          icon={Compass}
          title={empty.posts}
          text="What people share appears here. Start with a post of your own."
          action={
            <Link to="/create-post" className={buttonClass()}>
              Create Post
            </Link>
          }
        />
      )}
      <InfiniteList {...more} end={items.length > 0 ? 'You have seen all posts.' : undefined}>
        <PostGrid posts={items} marksRecent />
      </InfiniteList>
    </section>
  );
}

function PostSearchResults({ search }: { search: string }) {
  const { items } = useLoaded(postSearchQuery(search));
  return (
    <section aria-label="Search results">
      <p role="status" className={items.length === 0 ? 'sr-only' : 'mb-4 text-ink-soft'}>
        {items.length === 1 ? '1 post found' : `${items.length} posts found`}
      </p>
      {items.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={`No post matches “${search}”`}
          text="Every word must be in the caption, the tags or the place. Try fewer words."
          className="wrap-anywhere"
        />
      ) : (
        <PostGrid posts={items} marksRecent />
      )}
    </section>
  );
}

/** The skeleton of the screen. */
export function ExploreSkeleton() {
  return (
    <Page title="Search Post" width="grid">
      <Skeleton shape="box" height={48} className="mb-6 max-w-feed rounded-full!" />
      <PopularHeader />
      <PostGridSkeletons count={pageSize.popular} />
    </Page>
  );
}
