import { createFileRoute } from '@tanstack/react-router';
import { disputes } from '@tara/contract/money/disputes';
import { orSecondFactor } from '../../features/accounts/index.ts';
import { DisputeScreen } from '../../features/disputes/DisputeScreen.tsx';
import { DisputeSkeleton } from '../../features/disputes/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/dispute/$id')({
  loader: ({ params, context: { session }, location }) =>
    loadPage('/dispute/:id', { disputes }, params).catch(orSecondFactor(session, { location })),
  component: DisputeScreen,
  pendingComponent: DisputeSkeleton,
});
