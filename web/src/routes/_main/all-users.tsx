import { createFileRoute } from '@tanstack/react-router';
import { PeopleScreen } from '../../features/profiles/PeopleScreen.tsx';
import { textParams } from '../../lib/search.ts';

export const Route = createFileRoute('/_main/all-users')({
  validateSearch: textParams('search'),
  component: Page,
});

function Page() {
  return <PeopleScreen search={Route.useSearch().search} />;
}
