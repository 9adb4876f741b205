import { createFileRoute } from '@tanstack/react-router';
import { PostScreen, postQuery } from '../../features/posts/PostScreen.tsx';
import { PostSkeleton } from '../../features/posts/skeletons.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/post/$id')({
  loader: ({ params }) => queryClient.ensureQueryData(postQuery(params.id)),
  component: PostScreen,
  pendingComponent: PostSkeleton,
});
