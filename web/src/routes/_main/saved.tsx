import { createFileRoute } from '@tanstack/react-router';
import { SavedScreen, SavedSkeleton, savedPages } from '../../features/posts/ExploreScreen.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/saved')({
  loader: () => queryClient.ensureInfiniteQueryData(savedPages),
  component: SavedScreen,
  pendingComponent: SavedSkeleton,
});
