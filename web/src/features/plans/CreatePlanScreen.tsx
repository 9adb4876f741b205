import { CalendarPlus } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function CreatePlanScreen(_props: { id: string }) {
  return (
    <Page title="Create a plan" width="form">
      <EmptyState icon={CalendarPlus} title="Not here yet" text="Offer a plan to meet over." />
    </Page>
  );
}
