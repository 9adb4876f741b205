import { AuthLayout } from '../../shell/AuthLayout.tsx';

export function SignInScreen() {
  return <AuthLayout title="SignIn" heading="SignIn" />;
}
