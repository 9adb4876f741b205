import { createFileRoute } from '@tanstack/react-router';
import { ConfirmingScreen } from '../features/accounts/ConfirmingScreen.tsx';
import { sessionQuery } from '../features/accounts/index.ts';
import { queryClient } from '../lib/queries.ts';
import { textParams } from '../lib/search.ts';

export const Route = createFileRoute('/confirming')({
  // What the mailed link carries (§2).
  validateSearch: textParams('secret', 'userId', 'username'),
  loader: () => queryClient.fetchQuery(sessionQuery),
  component: ConfirmingScreen,
});
