import { createFileRoute } from '@tanstack/react-router';
import { posts } from '@tara/contract/posts/posts';
import { UpdatePostSkeleton } from '../../features/posts/skeletons.tsx';
import { UpdatePostScreen } from '../../features/posts/UpdatePostScreen.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/update-post/$id')({
  loader: ({ params }) => loadPage('/update-post/:id', { posts }, params),
  component: Page,
  pendingComponent: UpdatePostSkeleton,
});

function Page() {
  return <UpdatePostScreen id={Route.useParams().id} />;
}
