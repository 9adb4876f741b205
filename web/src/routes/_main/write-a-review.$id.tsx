import { createFileRoute } from '@tanstack/react-router';
import {
  loadReviewedRequest,
  WriteReviewScreen,
  WriteReviewSkeleton,
} from '../../features/reviews/ReviewFormScreens.tsx';

export const Route = createFileRoute('/_main/write-a-review/$id')({
  loader: ({ params }) => loadReviewedRequest(params.id),
  component: WriteReviewScreen,
  pendingComponent: WriteReviewSkeleton,
});
