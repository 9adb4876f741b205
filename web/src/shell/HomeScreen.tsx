import { Suspense } from 'react';
import { Feed, FeedSkeleton } from '../features/posts/Feed.tsx';
import { cardClass } from '../features/posts/PostCard.tsx';
import { Card } from '../ui/Card.tsx';
import { Collapsible } from '../ui/Collapsible.tsx';
import { lazyPart } from '../ui/lazy-component.tsx';
import { Page } from '../ui/Page.tsx';
import { ExtraLinks } from './ExtraLinks.tsx';

// The feed comes first: what checks the form is not part of what the home screen waits for.
const QuickPost = lazyPart(() => import('../features/posts/QuickPost.tsx'));

/** `/` (§2): the extra links (beside the screen where there is room), a quick post, and the feed. */
export function HomeScreen() {
  return (
    <Page title="Home" width="feed" hideTitle>
      <div className="flex flex-col gap-5">
        <div className="xl:hidden">
          <Collapsible title="More for you">
            <ExtraLinks />
          </Collapsible>
        </div>
        <Suspense fallback={<QuickPostSkeleton />}>
          <QuickPost />
        </Suspense>
        <Feed />
      </div>
    </Page>
  );
}

/** The shape of the home screen while its posts are on their way. */
export function HomeSkeleton() {
  return (
    <Page title="Home" width="feed" hideTitle>
      <FeedSkeleton />
    </Page>
  );
}

/** As high as the folded form. */
function QuickPostSkeleton() {
  return (
    <Card as="section" aria-hidden="true" className={cardClass}>
      <div className="h-12" />
    </Card>
  );
}
