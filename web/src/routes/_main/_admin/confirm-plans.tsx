import { createFileRoute } from '@tanstack/react-router';
import { admin } from '@tara/contract/money/confirmations';
import { ConfirmPlansScreen } from '../../../features/admin/ConfirmPlansScreen.tsx';
import { ConfirmPlansSkeleton } from '../../../features/admin/skeletons.tsx';
import { loadPage } from '../../../lib/load-page.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/confirm-plans')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => loadPage('/confirm-plans', { admin }),
  component: ConfirmPlansScreen,
  pendingComponent: ConfirmPlansSkeleton,
});
