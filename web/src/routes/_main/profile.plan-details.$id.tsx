import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod';
import { PlanDetailsScreen } from '../../features/plans/PlanDetailsScreen.tsx';

export const Route = createFileRoute('/_main/profile/plan-details/$id')({
  // Names the creator's plan-list record (§2).
  validateSearch: z.object({ list: z.string().optional() }),
  component: Page,
});

function Page() {
  const { id } = Route.useParams();
  return <PlanDetailsScreen key={id} id={id} list={Route.useSearch().list} />;
}
