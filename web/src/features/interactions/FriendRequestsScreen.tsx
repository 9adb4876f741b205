import { RequestActions } from './RequestActions.tsx';
import { NoFriendRequests } from './RequestList.tsx';
import { RequestScreen } from './RequestScreen.tsx';

/** /profile/friend-request/{id}: the requests for the viewer's plans (§2). */
export function FriendRequestsScreen() {
  return (
    <RequestScreen
      list="friendRequest"
      title="Friend Request"
      empty={<NoFriendRequests />}
      actions={(request) => (
        <RequestActions request={request} tab="friendRequest" checking={false} isLead={false} />
      )}
    />
  );
}
