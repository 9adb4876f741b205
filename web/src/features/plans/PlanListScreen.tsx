import { CalendarHeart } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function PlanListScreen(_props: { id: string }) {
  return (
    <Page title="Plans" width="feed">
      <EmptyState icon={CalendarHeart} title="No current plan is posted" text="Plans to meet over." />
    </Page>
  );
}
