import { createFileRoute } from '@tanstack/react-router';
import { loadNotifications, NotificationsScreen } from '../../features/notifications/NotificationsScreen.tsx';
import { NotificationsSkeleton } from '../../features/notifications/skeletons.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/notifications')({
  // Which group is shown; all without one.
  validateSearch: textParams('group'),
  loader: ({ location }) => loadNotifications(textParams('group')(location.search).group),
  component: NotificationsScreen,
  pendingComponent: NotificationsSkeleton,
});
