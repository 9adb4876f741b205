import { createFileRoute } from '@tanstack/react-router';
import {
  ChargebacksScreen,
  ChargebacksSkeleton,
  chargebackPages,
} from '../../../features/admin/RequestCaseScreens.tsx';
import { queryClient } from '../../../lib/queries.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/chargebacks')({
  // The chargeback whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => queryClient.ensureInfiniteQueryData(chargebackPages),
  component: ChargebacksScreen,
  pendingComponent: ChargebacksSkeleton,
});
