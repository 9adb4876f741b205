import { createFileRoute } from '@tanstack/react-router';
import { VerificationMessageScreen } from '../../features/accounts/SignUpScreen.tsx';

export const Route = createFileRoute('/_public/verification-message')({
  component: VerificationMessageScreen,
});
