import { createFileRoute } from '@tanstack/react-router';
import {
  DisputesScreen,
  DisputesSkeleton,
  disputePages,
} from '../../../features/admin/RequestCaseScreens.tsx';
import { queryClient } from '../../../lib/queries.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/disputes')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => queryClient.ensureInfiniteQueryData(disputePages),
  component: DisputesScreen,
  pendingComponent: DisputesSkeleton,
});
