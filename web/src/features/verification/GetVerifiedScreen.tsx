import { BadgeCheck } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function GetVerifiedScreen() {
  return (
    <Page title="Get Verified" width="form">
      <EmptyState
        icon={BadgeCheck}
        title="Not yet verified"
        text="Show who you are, so that others can trust you."
      />
    </Page>
  );
}
