import { AuthLayout } from '../../shell/AuthLayout.tsx';

export function RecoveryScreen() {
  return <AuthLayout title="Recovery" heading="Recovery" />;
}
