import { Bookmark } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function SavedScreen() {
  return (
    <Page title="SAVED" width="grid">
      <EmptyState
        icon={Bookmark}
        title="Nothing is saved yet"
        text="Posts that you save wait here for you."
      />
    </Page>
  );
}
