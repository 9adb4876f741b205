import { createFileRoute } from '@tanstack/react-router';
import { UpdatePostScreen } from '../../features/posts/UpdatePostScreen.tsx';

export const Route = createFileRoute('/_main/update-post/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <UpdatePostScreen key={id} id={id} />;
}
