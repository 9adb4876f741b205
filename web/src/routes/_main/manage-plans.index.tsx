import { createFileRoute } from '@tanstack/react-router';
import { loadPlanManager, PlanManagerScreen } from '../../features/interactions/PlanManagerScreen.tsx';
import { PlanManagerSkeleton } from '../../features/interactions/skeletons.tsx';
import { textParams } from '../../lib/url.ts';

// `check` is the request whose payment somebody comes back from.
const searchParams = textParams('tab', 'check');

export const Route = createFileRoute('/_main/manage-plans/')({
  validateSearch: searchParams,
  // Not a dependency: the lists stay while tabs change the address.
  loader: ({ location }) => loadPlanManager(searchParams(location.search).check),
  component: PlanManagerScreen,
  pendingComponent: PlanManagerSkeleton,
});
