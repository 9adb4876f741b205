import { createFileRoute, redirect } from '@tanstack/react-router';
import { listPages } from '../../features/interactions/interaction-cache.ts';
import { HistoryScreen, HistorySkeleton } from '../../features/interactions/RequestListScreens.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/profile/history/$id')({
  // Only its owner has this list (§6); others see that member's plans.
  beforeLoad: ({ context, params }) => {
    if (context.session.profile.id !== params.id)
      throw redirect({ to: '/profile/plans/$id', params, replace: true });
  },
  loader: () => queryClient.ensureInfiniteQueryData(listPages('history')),
  component: HistoryScreen,
  pendingComponent: HistorySkeleton,
});
