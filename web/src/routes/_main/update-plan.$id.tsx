import { createFileRoute } from '@tanstack/react-router';
import { plans } from '@tara/contract/plans/plans';
import { UpdatePlanSkeleton } from '../../features/plans/skeletons.tsx';
import { UpdatePlanScreen } from '../../features/plans/UpdatePlanScreen.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/update-plan/$id')({
  loader: ({ params }) => loadPage('/update-plan/:id', { plans }, params),
  component: Page,
  pendingComponent: UpdatePlanSkeleton,
});

function Page() {
  return <UpdatePlanScreen id={Route.useParams().id} />;
}
