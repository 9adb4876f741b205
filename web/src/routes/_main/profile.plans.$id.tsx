import { createFileRoute } from '@tanstack/react-router';
import { plans } from '@tara/contract/plans/plans';
import { PlanListScreen } from '../../features/plans/PlanListScreen.tsx';
import { PlanListSkeleton } from '../../features/plans/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/profile/plans/$id')({
  loader: ({ params }) => loadPage('/profile/plans/:id', { plans }, params),
  component: PlanListScreen,
  pendingComponent: PlanListSkeleton,
});
