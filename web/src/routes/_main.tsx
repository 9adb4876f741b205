import { createFileRoute } from '@tanstack/react-router';
import { requireMember } from '../features/accounts/index.ts';
import { MainLayout } from '../shell/MainLayout.tsx';

export const Route = createFileRoute('/_main')({
  beforeLoad: requireMember,
  component: MainLayout,
  // Otherwise the router would show the layout's spinner until the data of the screen is loaded as well.
  pendingMs: Number.POSITIVE_INFINITY,
});
