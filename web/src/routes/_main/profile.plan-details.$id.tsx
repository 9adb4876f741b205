import { createFileRoute } from '@tanstack/react-router';
import { loadPlan, PlanDetailsScreen } from '../../features/plans/PlanDetailsScreen.tsx';
import { PlanSkeleton } from '../../features/plans/skeletons.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/profile/plan-details/$id')({
  // Names the creator's plan-list record (§2).
  validateSearch: textParams('list'),
  loader: ({ params }) => loadPlan(params.id),
  component: PlanDetailsScreen,
  pendingComponent: PlanSkeleton,
});
