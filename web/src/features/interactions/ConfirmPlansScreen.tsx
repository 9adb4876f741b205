import { ClipboardCheck } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function ConfirmPlansScreen() {
  return (
    <Page title="Confirm Plans" width="grid">
      <EmptyState
        icon={ClipboardCheck}
        title="List is clean good job 👍"
        text="Fulfilled plans wait here for their payout."
      />
    </Page>
  );
}
