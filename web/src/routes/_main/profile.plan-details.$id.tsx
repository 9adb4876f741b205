import { createFileRoute } from '@tanstack/react-router';
import { PlanDetailsScreen } from '../../features/plans/PlanDetailsScreen.tsx';
import { textParams } from '../../lib/search.ts';

export const Route = createFileRoute('/_main/profile/plan-details/$id')({
  // Names the creator's plan-list record (§2).
  validateSearch: textParams('list'),
  component: Page,
});

function Page() {
  const { id } = Route.useParams();
  return <PlanDetailsScreen key={id} id={id} list={Route.useSearch().list} />;
}
