import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { account } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { useEffect } from 'react';
import { call } from '../../lib/call.ts';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { AuthLayout } from '../../shell/AuthLayout.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/toast.ts';
import { ResendBox } from './ResendBox.tsx';
import { currentSession, forgetSession } from './session.ts';
import { WaitForAccount } from './WaitForAccount.tsx';

interface ConfirmEmailProps {
  secret: string;
  userId: string;
  username: string | undefined;
}

/** Uses the secret up and answers who is signed in after it, null for nobody. */
async function confirm(body: { secret: string; userId: string }) {
  try {
    await call(account.confirmVerification, { body });
  } catch (error) {
    forgetSession();
    const session = await currentSession();
    // The link was opened a second time: all is well.
    if (isProblem(error, 'user_invalid_token') && session?.account.emailVerification) return session;
    throw error;
  }
  forgetSession();
  return currentSession();
}

/** The mailed link, opened (§4). */
export function ConfirmEmail({ secret, userId, username }: ConfirmEmailProps) {
  const navigate = useNavigate();
  // A query, so that the secret is sent once however often React mounts this.
  const { data, error, isSuccess } = useQuery({
    queryKey: [account.confirmVerification.path, { userId, secret }],
    queryFn: () => confirm({ secret, userId }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const signedOut = isSuccess && data === null;
  useEffect(() => {
    if (!signedOut) return;
    toast({ ...notices.confirmedSignInFailed, tone: 'danger', duration: timer.confirmingFailureHome });
    const home = setTimeout(() => void navigate({ to: '/' }), timer.confirmingFailureHome);
    return () => clearTimeout(home);
  }, [signedOut, navigate]);

  if (error) {
    const { title, text } = wordsOfFailure(error);
    return (
      <AuthLayout title={title} heading={title} text={text}>
        <ResendBox initial={timer.confirmingInitial} username={username} />
        <Link to="/sign-in" className={buttonClass({ variant: 'ghost' })}>
          Back to sign in
        </Link>
      </AuthLayout>
    );
  }
  if (signedOut) {
    return (
      <AuthLayout
        title="E-mail confirmed"
        heading="Your e-mail is confirmed"
        text="You are not signed in on this device: please sign in."
      >
        <Link to="/sign-in" className={buttonClass()}>
          Sign in
        </Link>
      </AuthLayout>
    );
  }
  return isSuccess ? <Navigate to="/" replace /> : <WaitForAccount username={username} />;
}
