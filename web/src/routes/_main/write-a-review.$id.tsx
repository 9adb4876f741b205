import { createFileRoute } from '@tanstack/react-router';
import { WriteReviewScreen } from '../../features/reviews/WriteReviewScreen.tsx';

export const Route = createFileRoute('/_main/write-a-review/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <WriteReviewScreen key={id} id={id} />;
}
