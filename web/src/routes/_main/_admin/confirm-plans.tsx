import { createFileRoute } from '@tanstack/react-router';
import {
  awaitingPages,
  ConfirmPlansScreen,
  ConfirmPlansSkeleton,
} from '../../../features/admin/ConfirmPlansScreen.tsx';
import { queryClient } from '../../../lib/queries.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/confirm-plans')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => queryClient.ensureInfiniteQueryData(awaitingPages),
  component: ConfirmPlansScreen,
  pendingComponent: ConfirmPlansSkeleton,
});
