import { createFileRoute } from '@tanstack/react-router';
import { CreatePlanScreen } from '../../features/plans/CreatePlanScreen.tsx';

export const Route = createFileRoute('/_main/profile/create-plans/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <CreatePlanScreen key={id} id={id} />;
}
