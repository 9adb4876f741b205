import { createFileRoute } from '@tanstack/react-router';
import { account, accounts } from '@tara/contract/accounts';
import { conversations } from '@tara/contract/conversations';
import { personalData } from '@tara/contract/personal-data';
import { SettingsScreen, SettingsSkeleton } from '../../features/accounts/SettingsScreen.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/settings/')({
  loader: () => loadPage('/settings', { accounts, account, conversations, personalData }),
  component: SettingsScreen,
  pendingComponent: SettingsSkeleton,
});
