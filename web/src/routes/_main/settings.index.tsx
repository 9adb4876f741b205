import { createFileRoute } from '@tanstack/react-router';
import { account, accounts } from '@tara/contract/accounts/accounts';
import { personalData } from '@tara/contract/accounts/personal-data';
import { conversations } from '@tara/contract/messages/conversations';
import { devices } from '@tara/contract/notifications/devices';
import { SettingsScreen } from '../../features/accounts/SettingsScreen.tsx';
import { SettingsSkeleton } from '../../features/accounts/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/settings/')({
  loader: () => loadPage('/settings', { accounts, account, conversations, devices, personalData }),
  component: SettingsScreen,
  pendingComponent: SettingsSkeleton,
});
