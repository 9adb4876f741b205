import { BadgeCheck } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function VerifyUsersScreen() {
  return (
    <Page title="Verify Users" width="grid">
      <EmptyState
        icon={BadgeCheck}
        title="List is clean good job 👍"
        text="Requests to be verified wait here."
      />
    </Page>
  );
}
