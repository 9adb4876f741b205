import { createFileRoute } from '@tanstack/react-router';
import { ConsentScreen } from '../features/accounts/ConsentScreen.tsx';
import { requireIncomplete } from '../features/accounts/index.ts';

export const Route = createFileRoute('/consent')({
  beforeLoad: requireIncomplete,
  component: ConsentScreen,
});
