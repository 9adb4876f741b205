import { createFileRoute } from '@tanstack/react-router';
import { DisputeScreen, DisputeSkeleton, disputeQuery } from '../../features/disputes/DisputeScreen.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/dispute/$id')({
  loader: ({ params }) => queryClient.ensureQueryData(disputeQuery(params.id)),
  component: DisputeScreen,
  pendingComponent: DisputeSkeleton,
});
