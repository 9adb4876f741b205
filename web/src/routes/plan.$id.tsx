import { createFileRoute } from '@tanstack/react-router';
import { PublicPlanScreen } from '../features/public-links/PublicPlanScreen.tsx';
import { loadPublicPlan } from '../features/public-links/queries.ts';
import { PublicPlanSkeleton } from '../features/public-links/skeletons.tsx';

export const Route = createFileRoute('/plan/$id')({
  loader: ({ params }) => loadPublicPlan(params.id),
  component: PublicPlanScreen,
  pendingComponent: PublicPlanSkeleton,
});
