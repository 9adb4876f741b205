import { createFileRoute } from '@tanstack/react-router';
import {
  VerifyUsersScreen,
  VerifyUsersSkeleton,
  verificationPages,
} from '../../../features/admin/VerifyUsersScreen.tsx';
import { queryClient } from '../../../lib/queries.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/verify-users')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => queryClient.ensureInfiniteQueryData(verificationPages),
  component: VerifyUsersScreen,
  pendingComponent: VerifyUsersSkeleton,
});
