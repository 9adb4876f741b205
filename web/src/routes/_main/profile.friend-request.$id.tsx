import { createFileRoute } from '@tanstack/react-router';
import { FriendRequestsScreen } from '../../features/interactions/FriendRequestsScreen.tsx';

export const Route = createFileRoute('/_main/profile/friend-request/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <FriendRequestsScreen key={id} id={id} />;
}
