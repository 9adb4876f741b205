import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordScreen } from '../features/accounts/ResetPasswordScreen.tsx';
import { textParams } from '../lib/url.ts';

export const Route = createFileRoute('/reset-password')({
  // What the mailed link carries.
  validateSearch: textParams('secret', 'userId'),
  component: Page,
});

function Page() {
  return <ResetPasswordScreen {...Route.useSearch()} />;
}
