import { createFileRoute } from '@tanstack/react-router';
import { requireAdmin } from '../../shell/guards.ts';

export const Route = createFileRoute('/_main/_admin')({ beforeLoad: requireAdmin });
