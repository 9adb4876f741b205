import { createFileRoute } from '@tanstack/react-router';
import { reviews } from '@tara/contract/plans/reviews';
import { ReviewDetailsScreen, ReviewSkeleton } from '../../features/reviews/ReviewDetailsScreen.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/review-details/$id')({
  loader: ({ params }) => loadPage('/review-details/:id', { reviews }, params),
  component: ReviewDetailsScreen,
  pendingComponent: ReviewSkeleton,
});
