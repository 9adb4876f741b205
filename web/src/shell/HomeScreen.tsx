import { Suspense } from 'react';
import { Feed, FeedSkeleton } from '../features/posts/Feed.tsx';
import { cardClass } from '../features/posts/PostCard.tsx';
import { Card } from '../ui/Card.tsx';
import { Collapsible } from '../ui/Collapsible.tsx';
import { lazyPart } from '../ui/lazy-component.tsx';
import { Page } from '../ui/Page.tsx';
import { ExtraLinks } from './ExtraLinks.tsx';

// Loaded lazily: the home screen must not wait for the form's validation code.
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

/** The skeleton of the home screen. */
export function HomeSkeleton() {
  return (
    <Page title="Home" width="feed" hideTitle>
      <FeedSkeleton />
    </Page>
  );
}

/** As high as the collapsed form. */
function QuickPostSkeleton() {
  return (
    <Card as="section" aria-hidden="true" className={cardClass}>
      <div className="h-12" />
    </Card>
  );
}
