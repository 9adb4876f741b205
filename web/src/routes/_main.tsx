import { createFileRoute } from '@tanstack/react-router';
import { requireMember } from '../shell/guards.ts';
import { MainLayout } from '../shell/MainLayout.tsx';

export const Route = createFileRoute('/_main')({ beforeLoad: requireMember, component: MainLayout });
