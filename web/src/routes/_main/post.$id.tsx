import { createFileRoute } from '@tanstack/react-router';
import { PostScreen } from '../../features/posts/PostScreen.tsx';

export const Route = createFileRoute('/_main/post/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <PostScreen key={id} id={id} />;
}
