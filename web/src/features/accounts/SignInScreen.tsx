import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { useState } from 'react';
import { ProblemError, wordsOfFailure } from '../../lib/failure.ts';
import { linkClass } from '../../ui/TextLink.tsx';
import { toast } from '../../ui/toast.ts';
import { useCountDown } from '../../ui/use-count-down.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { DemoAccounts } from './DemoAccounts.tsx';
import { SignInForm } from './SignInForm.tsx';
import { signIn } from './sign-in.ts';

/** /sign-in (§2). */
export function SignInScreen() {
  const navigate = useNavigate();
  const [waitingEmail, setWaitingEmail] = useState('');
  const countDown = useCountDown(0);
  const signingIn = useMutation({
    mutationFn: signIn,
    onSuccess: async (session) => {
      if (session) await navigate({ to: '/' });
      else toast({ ...notices.signInUnverified, tone: 'danger', duration: timer.formToast });
    },
    onError: (error, { email }) => {
      if (error instanceof ProblemError && error.retryAfter > 0) {
        setWaitingEmail(email);
        countDown.restart(error.retryAfter);
      }
      toast({ ...wordsOfFailure(error), tone: 'danger', duration: timer.formToast });
    },
  });
  return (
    <AuthLayout title="Sign in" heading="Login in to your account.">
      <SignInForm
        pending={signingIn.isPending}
        refused={signingIn.error instanceof ProblemError ? signingIn.error.fields : {}}
        wait={{ email: waitingEmail, seconds: countDown.left }}
        onSubmit={(form) => signingIn.mutate(form)}
      />
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-2 text-sm">
        <span>
          New here?{' '}
          <Link to="/sign-up" className={linkClass}>
            Sign up
          </Link>
        </span>
        <Link to="/recovery" className={linkClass}>
          Forgot your password?
        </Link>
      </p>
      <DemoAccounts
        busyWith={signingIn.isPending ? signingIn.variables.email : null}
        onChoose={({ email, password }) => signingIn.mutate({ email, password })}
      />
    </AuthLayout>
  );
}
