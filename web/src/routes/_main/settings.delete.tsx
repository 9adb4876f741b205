import { createFileRoute } from '@tanstack/react-router';
import { personalData } from '@tara/contract/personal-data';
import { DeleteAccountScreen, DeleteAccountSkeleton } from '../../features/accounts/DeleteAccountScreen.tsx';
import { queryClient, queryOf } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/settings/delete')({
  loader: () => queryClient.ensureQueryData(queryOf(personalData.get)),
  component: DeleteAccountScreen,
  pendingComponent: DeleteAccountSkeleton,
});
