import { createFileRoute } from '@tanstack/react-router';
import { LeavingScreen } from '../features/accounts/AccessScreens.tsx';
import { requireLeaving } from '../features/accounts/index.ts';

export const Route = createFileRoute('/leaving')({
  beforeLoad: requireLeaving,
  component: LeavingScreen,
});
