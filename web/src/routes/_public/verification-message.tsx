import { createFileRoute } from '@tanstack/react-router';
import { VerificationMessageScreen } from '../../features/accounts/VerificationMessageScreen.tsx';

export const Route = createFileRoute('/_public/verification-message')({
  component: VerificationMessageScreen,
});
