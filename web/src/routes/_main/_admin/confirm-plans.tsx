import { createFileRoute } from '@tanstack/react-router';
import { ConfirmPlansScreen } from '../../../features/interactions/ConfirmPlansScreen.tsx';

export const Route = createFileRoute('/_main/_admin/confirm-plans')({ component: ConfirmPlansScreen });
