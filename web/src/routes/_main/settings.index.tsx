import { createFileRoute } from '@tanstack/react-router';
import { account, accounts } from '@tara/contract/accounts/accounts';
import { personalData } from '@tara/contract/accounts/personal-data';
import { conversations } from '@tara/contract/messages/conversations';
import { devices } from '@tara/contract/notifications/devices';
import { oauth2 } from '@tara/contract/wire/oauth2';
import { SettingsScreen } from '../../features/accounts/SettingsScreen.tsx';
import { SettingsSkeleton } from '../../features/accounts/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/settings/')({
  loader: () => loadPage('/settings', { accounts, account, oauth2, devices, conversations, personalData }),
  component: SettingsScreen,
  pendingComponent: SettingsSkeleton,
});
