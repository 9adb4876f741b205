import { createFileRoute } from '@tanstack/react-router';
import { requestCases } from '@tara/contract/money/disputes';
import { DisputesScreen } from '../../../features/admin/DisputesScreen.tsx';
import { DisputesSkeleton } from '../../../features/admin/skeletons.tsx';
import { loadPage } from '../../../lib/load-page.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/disputes')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => loadPage('/disputes', { requestCases }),
  component: DisputesScreen,
  pendingComponent: DisputesSkeleton,
});
