import { createFileRoute } from '@tanstack/react-router';
import { VerifyUsersScreen } from '../../../features/verification/VerifyUsersScreen.tsx';
import { textParams } from '../../../lib/search.ts';

export const Route = createFileRoute('/_main/_admin/verify-users')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  component: Page,
});

function Page() {
  return <VerifyUsersScreen open={Route.useSearch().open} />;
}
