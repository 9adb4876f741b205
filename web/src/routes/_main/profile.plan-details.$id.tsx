import { createFileRoute } from '@tanstack/react-router';
import { PlanDetailsScreen, PlanSkeleton, planQuery } from '../../features/plans/PlanDetailsScreen.tsx';
import { queryClient } from '../../lib/queries.ts';
import { textParams } from '../../lib/search.ts';

export const Route = createFileRoute('/_main/profile/plan-details/$id')({
  // Names the creator's plan-list record (§2).
  validateSearch: textParams('list'),
  loader: ({ params }) => queryClient.ensureQueryData(planQuery(params.id)),
  component: PlanDetailsScreen,
  pendingComponent: PlanSkeleton,
});
