import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router';
import { account, type SessionContext } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { useEffect } from 'react';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem } from '../../lib/failure.ts';
import { useLoaded } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/toast.ts';
import { useCountDown } from '../../ui/use-count-down.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { ResendBox } from './ResendBox.tsx';
import { clearSession, currentSession, logOut, sessionQuery } from './session.ts';

const route = getRouteApi('/confirming');

/** Milliseconds between reads of the session: the mail may be opened on another device. */
const SESSION_INTERVAL_MS = 5_000;

const watchedSessionQuery = { ...sessionQuery, staleTime: 0, refetchInterval: SESSION_INTERVAL_MS };

/** /confirming: where the mailed link leads, and where a member with an unconfirmed e-mail is sent (§2). */
export function ConfirmingScreen() {
  const { secret, userId, username } = route.useSearch();
  if (secret && userId) return <ConfirmEmail secret={secret} userId={userId} username={username} />;
  return <WithoutSecret username={username} />;
}

function WithoutSecret({ username }: { username: string | undefined }) {
  const session = useLoaded(watchedSessionQuery);
  if (!session) return <WaitForAccount username={username} />;
  if (session.account.emailVerification) return <Navigate to="/" replace />;
  return <ConfirmationPending session={session} />;
}

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
    clearSession();
    const session = await currentSession();
    // The link was opened a second time: all is well.
    if (isProblem(error, 'user_invalid_token') && session?.account.emailVerification) return session;
    throw error;
  }
  clearSession();
  return currentSession();
}

/** The mailed link, opened (§4). */
function ConfirmEmail({ secret, userId, username }: ConfirmEmailProps) {
  const navigate = useNavigate();
  // A query, so that the secret is sent once however often React mounts this.
  const { data, error, isSuccess } = useQuery({
    queryKey: [...account.confirmVerification.key, { userId, secret }],
    queryFn: () => confirm({ secret, userId }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const signedOut = isSuccess && data === null;
  useEffect(() => {
    if (!signedOut) return;
    toast({ ...notices.confirmedSignInFailed, tone: 'danger', durationMs: timer.confirmingFailureHome });
    const home = setTimeout(() => void navigate({ to: '/' }), timer.confirmingFailureHome);
    return () => clearTimeout(home);
  }, [signedOut, navigate]);

  if (error) {
    const { title, text } = errorNotice(error);
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

/** For who is signed in but has not confirmed the e-mail yet. */
function ConfirmationPending({ session: { account, profile } }: { session: SessionContext }) {
  return (
    <AuthLayout
      title="Confirm your e-mail"
      heading="please confirm your e-mail"
      text={
        <>
          We sent a link to <strong className="font-semibold text-ink">{account.email}</strong>. Open it, and
          this page goes on by itself.
        </>
      }
    >
      <ResendBox initial={timer.confirmingInitial} username={profile.username} />
      <Button variant="ghost" className="-ml-4 self-start" onClick={() => void logOut('/sign-in')}>
        Log out
      </Button>
    </AuthLayout>
  );
}

/** Waits 60 s for an account to show up, then says that there is none (§4). */
function WaitForAccount({ username }: { username: string | undefined }) {
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
