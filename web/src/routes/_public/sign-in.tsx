import { createFileRoute } from '@tanstack/react-router';
import { SignInScreen } from '../../features/accounts/SignInScreen.tsx';

export const Route = createFileRoute('/_public/sign-in')({ component: SignInScreen });
