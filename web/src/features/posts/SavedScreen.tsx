import { Link } from '@tanstack/react-router';
import { posts } from '@tara/contract/posts/posts';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Page } from '../../ui/Page.tsx';
import { PostGrid } from './PostGrid.tsx';

const savedPages = pagesOf(posts.saved);

/** `/saved` (§2): the posts that the viewer saved, last saved first. One that is no longer saved stays until the next visit. */
export function SavedScreen() {
  const list = useLoadedPages(savedPages);
  return (
    <Page title="SAVED" width="grid">
      <PagedList
        list={list}
        empty={{
          illustration: 'lanterns',
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
