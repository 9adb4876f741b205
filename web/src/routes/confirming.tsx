import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod';
import { ConfirmingScreen } from '../features/accounts/ConfirmingScreen.tsx';

export const Route = createFileRoute('/confirming')({
  // What the mailed link carries (§2).
  validateSearch: z.object({
    secret: z.string().optional(),
    userId: z.string().optional(),
    username: z.string().optional(),
  }),
  component: Page,
});

function Page() {
  return <ConfirmingScreen {...Route.useSearch()} />;
}
