import { createFileRoute } from '@tanstack/react-router';
import { LeavingScreen } from '../features/accounts/GuardScreens.tsx';
import { requireLeaving } from '../shell/guards.ts';

export const Route = createFileRoute('/leaving')({
  beforeLoad: requireLeaving,
  component: LeavingScreen,
});
