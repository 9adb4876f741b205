import { Star } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function ReviewDetailsScreen(_props: { id: string }) {
  return (
    <Page title="Review" width="feed">
      <EmptyState icon={Star} title="No current Reviews" text="One review with its comments." />
    </Page>
  );
}
