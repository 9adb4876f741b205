import { createFileRoute } from '@tanstack/react-router';
import { posts } from '@tara/contract/posts/posts';
import { loadPage } from '../../lib/load-page.ts';
import { HomeScreen } from '../../shell/HomeScreen.tsx';
import { HomeSkeleton } from '../../shell/HomeSkeleton.tsx';

export const Route = createFileRoute('/_main/')({
  loader: () => loadPage('/', { posts }),
  component: HomeScreen,
  pendingComponent: HomeSkeleton,
});
