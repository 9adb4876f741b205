import { createFileRoute } from '@tanstack/react-router';
import { PlanListScreen } from '../../features/plans/PlanListScreen.tsx';

export const Route = createFileRoute('/_main/profile/plans/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <PlanListScreen key={id} id={id} />;
}
