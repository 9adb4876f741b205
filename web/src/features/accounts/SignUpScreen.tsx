import { AuthLayout } from '../../shell/AuthLayout.tsx';

export function SignUpScreen() {
  return <AuthLayout title="SignUp" heading="SignUp" />;
}
