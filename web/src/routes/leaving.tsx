import { createFileRoute } from '@tanstack/react-router';
import { requireLeaving } from '../features/accounts/index.ts';
import { LeavingScreen } from '../features/accounts/LeavingScreen.tsx';

export const Route = createFileRoute('/leaving')({
  beforeLoad: requireLeaving,
  component: LeavingScreen,
});
