import { AuthLayout } from '../../shell/AuthLayout.tsx';

export function VerificationMessageScreen() {
  return <AuthLayout title="VerificationMessage" heading="VerificationMessage" />;
}
