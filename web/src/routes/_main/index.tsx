import { createFileRoute } from '@tanstack/react-router';
import { posts } from '@tara/contract/posts/posts';
import { loadFeedPlace } from '../../features/posts/feed-place.ts';
import { loadPage } from '../../lib/load-page.ts';
import { HomeScreen } from '../../shell/HomeScreen.tsx';
import { HomeSkeleton } from '../../shell/HomeSkeleton.tsx';

export const Route = createFileRoute('/_main/')({
  loader: async ({ location }) => {
    await loadFeedPlace(location.state.__TSR_key);
    await loadPage('/', { posts });
  },
  component: HomeScreen,
  pendingComponent: HomeSkeleton,
});
