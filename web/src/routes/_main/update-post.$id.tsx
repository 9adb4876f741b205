import { createFileRoute } from '@tanstack/react-router';
import {
  editedPostQuery,
  UpdatePostScreen,
  UpdatePostSkeleton,
} from '../../features/posts/PostFormScreens.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/update-post/$id')({
  // Always fetched: a form must not start with an old text.
  loader: ({ params }) => queryClient.fetchQuery(editedPostQuery(params.id)),
  component: Page,
  pendingComponent: UpdatePostSkeleton,
});

function Page() {
  return <UpdatePostScreen id={Route.useParams().id} />;
}
