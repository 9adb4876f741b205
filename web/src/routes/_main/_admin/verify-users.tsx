import { createFileRoute } from '@tanstack/react-router';
import { verification } from '@tara/contract/members/verification';
import { VerifyUsersSkeleton } from '../../../features/admin/skeletons.tsx';
import { VerifyUsersScreen } from '../../../features/admin/VerifyUsersScreen.tsx';
import { loadPage } from '../../../lib/load-page.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/verify-users')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => loadPage('/verify-users', { verification }),
  component: VerifyUsersScreen,
  pendingComponent: VerifyUsersSkeleton,
});
