import { createFileRoute } from '@tanstack/react-router';
import { posts } from '@tara/contract/posts/posts';
import { SavedScreen } from '../../features/posts/SavedScreen.tsx';
import { SavedSkeleton } from '../../features/posts/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/saved')({
  loader: () => loadPage('/saved', { posts }),
  component: SavedScreen,
  pendingComponent: SavedSkeleton,
});
