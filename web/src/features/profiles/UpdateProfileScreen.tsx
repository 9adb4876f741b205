import { UserRoundPen } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function UpdateProfileScreen() {
  return (
    <Page title="Edit Profile" width="form">
      <EmptyState icon={UserRoundPen} title="Not set yet." text="Your picture and About section." />
    </Page>
  );
}
