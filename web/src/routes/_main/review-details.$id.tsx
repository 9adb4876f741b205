import { createFileRoute } from '@tanstack/react-router';
import { ReviewDetailsScreen } from '../../features/reviews/ReviewDetailsScreen.tsx';

export const Route = createFileRoute('/_main/review-details/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <ReviewDetailsScreen key={id} id={id} />;
}
