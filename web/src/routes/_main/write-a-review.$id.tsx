import { createFileRoute } from '@tanstack/react-router';
import { WriteReviewSkeleton } from '../../features/reviews/skeletons.tsx';
import { loadReviewedRequest, WriteReviewScreen } from '../../features/reviews/WriteReviewScreen.tsx';

export const Route = createFileRoute('/_main/write-a-review/$id')({
  loader: ({ params }) => loadReviewedRequest(params.id),
  component: WriteReviewScreen,
  pendingComponent: WriteReviewSkeleton,
});
