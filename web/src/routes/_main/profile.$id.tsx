import { createFileRoute } from '@tanstack/react-router';
import { ProfileScreen } from '../../features/profiles/ProfileScreen.tsx';
import { textParams } from '../../lib/search.ts';

export const Route = createFileRoute('/_main/profile/$id')({
  // Which list is shown: 'reviews', else the posts.
  validateSearch: textParams('show'),
  component: Page,
});

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <ProfileScreen key={id} id={id} show={Route.useSearch().show} />;
}
