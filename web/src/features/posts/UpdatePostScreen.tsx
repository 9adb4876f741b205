import { Pencil } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function UpdatePostScreen(_props: { id: string }) {
  return (
    <Page title="Update Post" width="form">
      <EmptyState icon={Pencil} title="Not here yet" text="Change your post." />
    </Page>
  );
}
