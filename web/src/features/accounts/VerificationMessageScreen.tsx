import { Link } from '@tanstack/react-router';
import { timer } from '@tara/contract/limits';
import { linkClass } from '../../ui/Button.tsx';
import { ResendBox } from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';

/** /verification-message (§2). */
export function VerificationMessageScreen() {
  return (
    <AuthLayout
      title="Check your email"
      heading="check your email for a verification link"
      text="The link confirms that the address is yours. No email? Check your spam folder, or send it again."
    >
      <ResendBox initial={timer.verificationMessageInitialSeconds} />
      <Link to="/sign-in" className={`${linkClass} text-sm self-start`}>
        Back to sign in
      </Link>
    </AuthLayout>
  );
}
