import { Plus } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function CreatePostScreen(_props: { textInputed?: string | undefined }) {
  return (
    <Page title="Create Post" width="form">
      <EmptyState icon={Plus} title="Not here yet" text="Share a moment." />
    </Page>
  );
}
