import { UserRound } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function ProfileScreen(_props: { id: string }) {
  return (
    <Page title="Profile" width="feed">
      <EmptyState icon={UserRound} title="No current post" text="A member and what they share." />
    </Page>
  );
}
