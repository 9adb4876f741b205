import { Compass } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function ExploreScreen() {
  return (
    <Page title="Search Post" width="grid">
      <EmptyState icon={Compass} title="No current post" text="Find posts by what they say." />
    </Page>
  );
}
