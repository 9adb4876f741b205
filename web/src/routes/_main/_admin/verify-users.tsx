import { createFileRoute } from '@tanstack/react-router';
import { VerifyUsersScreen } from '../../../features/verification/VerifyUsersScreen.tsx';

export const Route = createFileRoute('/_main/_admin/verify-users')({ component: VerifyUsersScreen });
