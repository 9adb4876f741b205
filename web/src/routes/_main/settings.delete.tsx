import { createFileRoute } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { personalData } from '@tara/contract/accounts/personal-data';
import { DeleteAccountScreen } from '../../features/accounts/DeleteAccountScreen.tsx';
import { DeleteAccountSkeleton } from '../../features/accounts/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/settings/delete')({
  loader: () => loadPage('/settings/delete', { personalData, accounts }),
  component: DeleteAccountScreen,
  pendingComponent: DeleteAccountSkeleton,
});
