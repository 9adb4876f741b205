import { createFileRoute } from '@tanstack/react-router';
import { PlanListScreen, PlanListSkeleton, planPages } from '../../features/plans/PlanListScreen.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/profile/plans/$id')({
  loader: ({ params }) => queryClient.ensureInfiniteQueryData(planPages(params.id)),
  component: PlanListScreen,
  pendingComponent: PlanListSkeleton,
});
