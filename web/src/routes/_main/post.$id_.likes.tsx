import { createFileRoute } from '@tanstack/react-router';
import { LikersScreen, LikersSkeleton, loadLikers } from '../../features/posts/PostScreen.tsx';

export const Route = createFileRoute('/_main/post/$id_/likes')({
  loader: ({ params }) => loadLikers(params.id),
  component: LikersScreen,
  pendingComponent: LikersSkeleton,
});
