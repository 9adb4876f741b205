import { createFileRoute } from '@tanstack/react-router';
import {
  editedPlanQuery,
  UpdatePlanScreen,
  UpdatePlanSkeleton,
} from '../../features/plans/PlanFormScreens.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/update-plan/$id')({
  // Always fetched: a form must not start with an old text.
  loader: ({ params }) => queryClient.fetchQuery(editedPlanQuery(params.id)),
  component: Page,
  pendingComponent: UpdatePlanSkeleton,
});

function Page() {
  return <UpdatePlanScreen id={Route.useParams().id} />;
}
