import { createFileRoute } from '@tanstack/react-router';
import { loadManagerLists } from '../../features/interactions/interaction-cache.ts';
import { PlanManagerScreen, PlanManagerSkeleton } from '../../features/interactions/PlanManagerScreen.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/manage-plans/')({
  // `check` is the request whose payment somebody comes back from.
  validateSearch: textParams('tab', 'check'),
  loader: loadManagerLists,
  component: PlanManagerScreen,
  pendingComponent: PlanManagerSkeleton,
});
