import { createFileRoute } from '@tanstack/react-router';
import { UnsubscribeSkeleton } from '../features/notifications/skeletons.tsx';
import { loadTopics, UnsubscribeScreen } from '../features/notifications/UnsubscribeScreen.tsx';

export const Route = createFileRoute('/unsubscribe/$token')({
  loader: ({ params }) => loadTopics(params.token),
  component: UnsubscribeScreen,
  pendingComponent: UnsubscribeSkeleton,
});
