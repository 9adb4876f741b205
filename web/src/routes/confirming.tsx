import { createFileRoute } from '@tanstack/react-router';
import { ConfirmingScreen } from '../features/accounts/ConfirmingScreen.tsx';
import { readSession } from '../features/accounts/index.ts';
import { textParams } from '../lib/url.ts';

export const Route = createFileRoute('/confirming')({
  // What the mailed link carries (§2).
  validateSearch: textParams('secret', 'userId', 'username'),
  loader: () => readSession(),
  component: ConfirmingScreen,
});
