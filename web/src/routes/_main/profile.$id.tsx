import { createFileRoute } from '@tanstack/react-router';
import { ProfileScreen } from '../../features/profiles/ProfileScreen.tsx';

export const Route = createFileRoute('/_main/profile/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <ProfileScreen key={id} id={id} />;
}
