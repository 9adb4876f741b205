import { createFileRoute } from '@tanstack/react-router';
import { blocks } from '@tara/contract/members/blocks';
import { BlockedScreen } from '../../features/blocks/BlockedScreen.tsx';
import { BlockedSkeleton } from '../../features/blocks/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/settings/blocked')({
  loader: () => loadPage('/settings/blocked', { blocks }),
  component: BlockedScreen,
  pendingComponent: BlockedSkeleton,
});
