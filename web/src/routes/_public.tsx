import { createFileRoute } from '@tanstack/react-router';
import { requireGuest } from '../shell/guards.ts';

export const Route = createFileRoute('/_public')({ beforeLoad: requireGuest });
