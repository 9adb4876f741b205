import { createFileRoute } from '@tanstack/react-router';
import { LeavingScreen } from '../features/accounts/LeavingScreen.tsx';
import { requireLeaving } from '../shell/guards.ts';

export const Route = createFileRoute('/leaving')({
  beforeLoad: requireLeaving,
  component: LeavingScreen,
});
