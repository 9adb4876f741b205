import { createFileRoute } from '@tanstack/react-router';
import { requireMember } from '../shell/guards.ts';
import { MainLayout } from '../shell/MainLayout.tsx';

export const Route = createFileRoute('/_main')({
  beforeLoad: requireMember,
  component: MainLayout,
  // The router would keep a ring that it once showed for the layout until the screen's data is there as well.
  pendingMs: Number.POSITIVE_INFINITY,
});
