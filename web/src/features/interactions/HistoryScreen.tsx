import { History } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function HistoryScreen(_props: { id: string }) {
  return (
    <Page title="History" width="feed">
      <EmptyState icon={History} title="No Current Request" text="Plans that took place." />
    </Page>
  );
}
