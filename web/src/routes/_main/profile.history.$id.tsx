import { createFileRoute, redirect } from '@tanstack/react-router';
import { interactions } from '@tara/contract/interactions/interactions';
import { HistoryScreen } from '../../features/interactions/HistoryScreen.tsx';
import { HistorySkeleton } from '../../features/interactions/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/profile/history/$id')({
  // Only its owner has this list (§6); others see that member's plans.
  beforeLoad: ({ context, params }) => {
    if (context.session.profile.id !== params.id)
      throw redirect({ to: '/profile/plans/$id', params, replace: true });
  },
  loader: ({ params }) => loadPage('/profile/history/:id', { interactions }, params),
  component: HistoryScreen,
  pendingComponent: HistorySkeleton,
});
