import { createFileRoute } from '@tanstack/react-router';
import { SignUpScreen } from '../../features/accounts/SignUpScreen.tsx';

export const Route = createFileRoute('/_public/sign-up')({ component: SignUpScreen });
