import { AuthLayout } from '../../shell/AuthLayout.tsx';

export function ConfirmingScreen(_props: { secret?: string; userId?: string; username?: string }) {
  return <AuthLayout title="Confirming" heading="Confirming" />;
}
