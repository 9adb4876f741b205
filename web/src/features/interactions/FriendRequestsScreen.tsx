import { Handshake } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function FriendRequestsScreen(_props: { id: string }) {
  return (
    <Page title="Friend Request" width="feed">
      <EmptyState icon={Handshake} title="No Current Request" text="Who would like to meet you." />
    </Page>
  );
}
