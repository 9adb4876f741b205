import { createFileRoute } from '@tanstack/react-router';
import { PlanManagerScreen } from '../../features/interactions/PlanManagerScreen.tsx';
import { textParams } from '../../lib/search.ts';

export const Route = createFileRoute('/_main/manage-plans/')({
  // `check` is the request whose payment somebody comes back from.
  validateSearch: textParams('tab', 'check'),
  component: Page,
});

function Page() {
  return <PlanManagerScreen {...Route.useSearch()} />;
}
