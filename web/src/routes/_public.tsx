import { createFileRoute } from '@tanstack/react-router';
import { requireGuest } from '../features/accounts/index.ts';

export const Route = createFileRoute('/_public')({ beforeLoad: requireGuest });
