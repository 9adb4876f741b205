import { AuthLayout } from '../../shell/AuthLayout.tsx';

export function ResetPasswordScreen(_props: { secret?: string; userId?: string }) {
  return <AuthLayout title="Set a new password" heading="Set a new password" />;
}
