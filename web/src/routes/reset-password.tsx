import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod';
import { ResetPasswordScreen } from '../features/accounts/ResetPasswordScreen.tsx';

export const Route = createFileRoute('/reset-password')({
  // What the mailed link carries.
  validateSearch: z.object({ secret: z.string().optional(), userId: z.string().optional() }),
  component: Page,
});

function Page() {
  return <ResetPasswordScreen {...Route.useSearch()} />;
}
