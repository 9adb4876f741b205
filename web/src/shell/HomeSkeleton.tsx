import { FeedSkeleton } from '../features/posts/skeletons.tsx';
import { Page } from '../ui/Page.tsx';

/** The skeleton of the home screen. */
export function HomeSkeleton() {
  return (
    <Page title="Home" width="feed" hideTitle>
      <FeedSkeleton />
    </Page>
  );
}
