import { createFileRoute } from '@tanstack/react-router';
import { BlockedScreen, BlockedSkeleton, loadBlocked } from '../../features/blocks/BlockedScreen.tsx';

export const Route = createFileRoute('/_main/settings/blocked')({
  loader: loadBlocked,
  component: BlockedScreen,
  pendingComponent: BlockedSkeleton,
});
