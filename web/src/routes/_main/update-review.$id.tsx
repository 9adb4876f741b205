import { createFileRoute } from '@tanstack/react-router';
import {
  editedReviewQuery,
  UpdateReviewScreen,
  UpdateReviewSkeleton,
} from '../../features/reviews/ReviewFormScreens.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/update-review/$id')({
  // Always fetched: a form must not begin with an old text.
  loader: ({ params }) => queryClient.fetchQuery(editedReviewQuery(params.id)),
  component: UpdateReviewScreen,
  pendingComponent: UpdateReviewSkeleton,
});
