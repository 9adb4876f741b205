import { Image } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function PostScreen(_props: { id: string }) {
  return (
    <Page title="Post" width="feed">
      <EmptyState icon={Image} title="No current post" text="One post with its picture." />
    </Page>
  );
}
