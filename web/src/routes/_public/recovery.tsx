import { createFileRoute } from '@tanstack/react-router';
import { RecoveryScreen } from '../../features/accounts/RecoveryScreen.tsx';

export const Route = createFileRoute('/_public/recovery')({ component: RecoveryScreen });
