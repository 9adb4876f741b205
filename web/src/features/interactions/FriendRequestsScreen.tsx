import { skeletons } from '@tara/contract/limits';
import { NoRequests } from './NoRequests.tsx';
import { OwnRequests } from './OwnRequests.tsx';
import { RequestActions } from './RequestActions.tsx';

/** /profile/friend-request/{id}: who asks for one's plans (§2). */
export function FriendRequestsScreen({ id }: { id: string }) {
  return (
    <OwnRequests
      id={id}
      list="friendRequest"
      title="Friend Request"
      skeletons={skeletons.planManager}
      empty={<NoRequests next="plans" text="When somebody asks for one of your plans, you accept it here." />}
      actions={(request) => <RequestActions request={request} tab="friendRequest" checking={false} />}
    />
  );
}
