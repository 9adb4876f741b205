import { createFileRoute } from '@tanstack/react-router';
import {
  loadReview,
  ReviewDetailsScreen,
  ReviewSkeleton,
} from '../../features/reviews/ReviewDetailsScreen.tsx';

export const Route = createFileRoute('/_main/review-details/$id')({
  loader: ({ params }) => loadReview(params.id),
  component: ReviewDetailsScreen,
  pendingComponent: ReviewSkeleton,
});
