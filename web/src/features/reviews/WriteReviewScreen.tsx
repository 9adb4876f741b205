import { Star } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function WriteReviewScreen(_props: { id: string }) {
  return (
    <Page title="Write a review" width="form">
      <EmptyState icon={Star} title="Not here yet" text="Tell others how it was." />
    </Page>
  );
}
