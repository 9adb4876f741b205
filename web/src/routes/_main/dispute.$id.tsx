import { createFileRoute } from '@tanstack/react-router';
import { orSecondFactor } from '../../features/accounts/index.ts';
import { DisputeScreen, DisputeSkeleton, disputeQuery } from '../../features/disputes/DisputeScreen.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/dispute/$id')({
  loader: ({ params, context: { session }, location }) =>
    queryClient.ensureQueryData(disputeQuery(params.id)).catch(orSecondFactor(session, { location })),
  component: DisputeScreen,
  pendingComponent: DisputeSkeleton,
});
