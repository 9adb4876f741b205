import { Link } from '@tanstack/react-router';
import { timer } from '@tara/contract/limits';
import { AuthLayout } from '../../shell/AuthLayout.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useCountDown } from '../../ui/use-count-down.ts';
import { ResendBox } from './ResendBox.tsx';

/** Waits 60 s for an account to show up, then says that there is none (§4). */
export function WaitForAccount({ username }: { username: string | undefined }) {
  const { left, done } = useCountDown(timer.confirmingWait);
  if (!done) {
    return (
      <AuthLayout title="Confirming" heading="Looking for your account...">
        <p role="timer" className="figures flex items-center gap-3 text-ink-soft">
          <Spinner /> Waiting for {left} s
        </p>
        <Link to="/sign-in" className={buttonClass({ variant: 'secondary' })}>
          Sign in
        </Link>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="No account found"
      heading="No account found"
      text="Sign in or create an account first, or have the link mailed again."
    >
      <div className="flex flex-wrap gap-3">
        <Link to="/sign-in" className={buttonClass()}>
          Sign in
        </Link>
        <Link to="/sign-up" className={buttonClass({ variant: 'secondary' })}>
          Sign up
        </Link>
      </div>
      <ResendBox initial={timer.verificationMessageInitial} username={username} />
    </AuthLayout>
  );
}
