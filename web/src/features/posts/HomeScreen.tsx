import { House } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function HomeScreen() {
  return (
    <Page title="Home" width="feed">
      <EmptyState icon={House} title="No current post" text="What the people you may meet are up to." />
    </Page>
  );
}
