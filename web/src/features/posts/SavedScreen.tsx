import { Link } from '@tanstack/react-router';
import { pageSize } from '@tara/contract/limits';
import { posts } from '@tara/contract/posts';
import { Bookmark } from 'lucide-react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Page } from '../../ui/Page.tsx';
import { PostGrid, PostGridSkeletons } from './PostGrid.tsx';

export const savedPages = pagesOf(posts.saved);

/** `/saved` (§2): the posts that the viewer saved, last saved first. One that is no longer saved stays until the next visit. */
export function SavedScreen() {
  const list = useLoadedPages(savedPages);
  return (
    <Page title="SAVED" width="grid">
      <PagedList
        list={list}
        empty={{
          icon: Bookmark,
          title: 'Nothing is saved yet',
          text: 'Tap the bookmark below a post to keep it here. Only you see what you saved.',
          action: (
            <Link to="/explore" className={buttonClass({ variant: 'secondary' })}>
              Explore posts
            </Link>
          ),
        }}
      >
        {(items) => <PostGrid posts={items} />}
      </PagedList>
    </Page>
  );
}

/** The skeleton of the screen. */
export function SavedSkeleton() {
  return (
    <Page title="SAVED" width="grid">
      <PostGridSkeletons count={pageSize.saved} />
    </Page>
  );
}
