import { createFileRoute } from '@tanstack/react-router';
import { ConsentScreen } from '../features/accounts/GuardScreens.tsx';
import { requireNoConsent } from '../shell/guards.ts';

export const Route = createFileRoute('/consent')({
  beforeLoad: requireNoConsent,
  component: ConsentScreen,
});
