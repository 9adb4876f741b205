import { UsersRound } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function PeopleScreen() {
  return (
    <Page title="People" width="grid">
      <EmptyState icon={UsersRound} title="Nobody here yet" text="Find friends by their name." />
    </Page>
  );
}
