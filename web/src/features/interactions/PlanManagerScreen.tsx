import { SquareCheckBig } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function PlanManagerScreen(_props: { tab?: string; check?: string }) {
  return (
    <Page title="Plan Manager" width="feed">
      <EmptyState
        icon={SquareCheckBig}
        title="No Current Request"
        text="Requests for plans, yours and those of others."
      />
    </Page>
  );
}
