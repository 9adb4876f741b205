import { createFileRoute } from '@tanstack/react-router';
import { PlanSkeleton } from '../../features/plans/skeletons.tsx';
import { goToPlan } from '../../features/public-links/queries.ts';

export const Route = createFileRoute('/_main/open-plan/$id')({
  loader: ({ params }) => goToPlan(params.id),
  pendingComponent: PlanSkeleton,
});
