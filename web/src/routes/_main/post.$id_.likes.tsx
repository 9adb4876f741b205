import { createFileRoute } from '@tanstack/react-router';
import { LikersScreen, loadLikers } from '../../features/posts/LikersScreen.tsx';
import { LikersSkeleton } from '../../features/posts/skeletons.tsx';

export const Route = createFileRoute('/_main/post/$id_/likes')({
  loader: ({ params }) => loadLikers(params.id),
  component: LikersScreen,
  pendingComponent: LikersSkeleton,
});
