import { CalendarHeart } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function PlanDetailsScreen(_props: { id: string; list?: string | undefined }) {
  return (
    <Page title="Plan request" width="feed">
      <EmptyState icon={CalendarHeart} title="Not here yet" text="One plan with its terms." />
    </Page>
  );
}
