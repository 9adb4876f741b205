import { createFileRoute } from '@tanstack/react-router';
import { reviews } from '@tara/contract/plans/reviews';
import { ReviewDetailsScreen } from '../../features/reviews/ReviewDetailsScreen.tsx';
import { ReviewSkeleton } from '../../features/reviews/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/review-details/$id')({
  loader: ({ params }) => loadPage('/review-details/:id', { reviews }, params),
  component: ReviewDetailsScreen,
  pendingComponent: ReviewSkeleton,
});
