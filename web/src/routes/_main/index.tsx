import { createFileRoute } from '@tanstack/react-router';
import { feedPages } from '../../features/posts/Feed.tsx';
import { queryClient } from '../../lib/queries.ts';
import { HomeScreen, HomeSkeleton } from '../../shell/HomeScreen.tsx';

export const Route = createFileRoute('/_main/')({
  loader: () => queryClient.ensureInfiniteQueryData(feedPages),
  component: HomeScreen,
  pendingComponent: HomeSkeleton,
});
