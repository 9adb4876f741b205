import { createFileRoute } from '@tanstack/react-router';
import { requestCases } from '@tara/contract/money/disputes';
import { ChargebacksScreen } from '../../../features/admin/ChargebacksScreen.tsx';
import { ChargebacksSkeleton } from '../../../features/admin/skeletons.tsx';
import { loadPage } from '../../../lib/load-page.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/chargebacks')({
  // The chargeback whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => loadPage('/chargebacks', { requestCases }),
  component: ChargebacksScreen,
  pendingComponent: ChargebacksSkeleton,
});
