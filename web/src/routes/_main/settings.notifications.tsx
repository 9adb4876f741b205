import { createFileRoute } from '@tanstack/react-router';
import { notificationSettings } from '@tara/contract/notifications/settings';
import { NotificationSettingsScreen } from '../../features/notifications/NotificationSettingsScreen.tsx';
import { NotificationSettingsSkeleton } from '../../features/notifications/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/settings/notifications')({
  loader: () => loadPage('/settings/notifications', { notificationSettings }),
  component: NotificationSettingsScreen,
  pendingComponent: NotificationSettingsSkeleton,
});
