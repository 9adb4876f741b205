import { createFileRoute } from '@tanstack/react-router';
import {
  ReviewDetailsScreen,
  ReviewSkeleton,
  reviewQuery,
} from '../../features/reviews/ReviewDetailsScreen.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/review-details/$id')({
  loader: ({ params }) => queryClient.ensureQueryData(reviewQuery(params.id)),
  component: ReviewDetailsScreen,
  pendingComponent: ReviewSkeleton,
});
