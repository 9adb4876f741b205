import { createFileRoute } from '@tanstack/react-router';
import { reviews } from '@tara/contract/plans/reviews';
import { UpdateReviewSkeleton } from '../../features/reviews/skeletons.tsx';
import { UpdateReviewScreen } from '../../features/reviews/UpdateReviewScreen.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/update-review/$id')({
  loader: ({ params }) => loadPage('/update-review/:id', { reviews }, params),
  component: UpdateReviewScreen,
  pendingComponent: UpdateReviewSkeleton,
});
