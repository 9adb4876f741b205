import { createFileRoute } from '@tanstack/react-router';
import { requireAdmin } from '../../features/accounts/index.ts';

export const Route = createFileRoute('/_main/_admin')({
  beforeLoad: requireAdmin,
  // As for the layout: a ring shown for the guard would stay in place of the screen's skeleton.
  pendingMs: Number.POSITIVE_INFINITY,
});
