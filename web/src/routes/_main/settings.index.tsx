import { createFileRoute } from '@tanstack/react-router';
import { account, accounts } from '@tara/contract/accounts';
import { conversations } from '@tara/contract/conversations';
import { personalData } from '@tara/contract/personal-data';
import { SettingsScreen, SettingsSkeleton } from '../../features/accounts/SettingsScreen.tsx';
import { queryClient, queryOf } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/settings/')({
  loader: () =>
    Promise.all([
      queryClient.ensureQueryData(queryOf(accounts.settings)),
      queryClient.ensureQueryData(queryOf(account.listSessions)),
      queryClient.ensureQueryData(queryOf(conversations.settings)),
      queryClient.ensureQueryData(queryOf(personalData.get)),
    ]),
  component: SettingsScreen,
  pendingComponent: SettingsSkeleton,
});
