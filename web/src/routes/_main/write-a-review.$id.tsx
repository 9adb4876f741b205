import { createFileRoute } from '@tanstack/react-router';
import { loadReviewedRequest, WriteReviewScreen } from '../../features/reviews/ReviewFormScreens.tsx';
import { WriteReviewSkeleton } from '../../features/reviews/skeletons.tsx';

export const Route = createFileRoute('/_main/write-a-review/$id')({
  loader: ({ params }) => loadReviewedRequest(params.id),
  component: WriteReviewScreen,
  pendingComponent: WriteReviewSkeleton,
});
