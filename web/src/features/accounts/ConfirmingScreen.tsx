// biome-ignore lint/style/noRestrictedImports: a write that uses up the secret of the mailed link, once for all mounts.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { account, accounts, type SessionContext } from '@tara/contract/accounts/accounts';
import { ChangeEmail } from '@tara/contract/accounts/forms';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { BadgeCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { call, errorNotice, isProblem, type Notice } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, PasswordField, SubmitButton } from '../../lib/form-fields.tsx';
import { invalidate, useLoaded, useOptional } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon, Spinner } from '../../ui/Icon.tsx';
import { useCountDown } from '../../ui/TimeLabel.tsx';
import { EmailField, ResendBox, ResendButton } from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession, currentSession, logOut, sessionQuery } from './session.ts';
import { WhoseAccount } from './WhoseAccount.tsx';
import { nextAddress } from './welcome.ts';

const route = getRouteApi('/confirming');

/** Interval for reading the session: the link may be opened on another device. */
const SESSION_INTERVAL_MS = 5_000;

const watchedSessionQuery = { ...sessionQuery, staleTime: 0, refetchInterval: SESSION_INTERVAL_MS };

/** /confirming: the target of the link in the email, and the page for members with an unconfirmed email (§2). */
export function ConfirmingScreen() {
  const { secret, userId, username } = route.useSearch();
  if (secret && userId) return <OpenLink secret={secret} userId={userId} username={username} />;
  return <WithoutSecret username={username} />;
}

function WithoutSecret({ username }: { username: string | undefined }) {
  const session = useLoaded(watchedSessionQuery);
  if (!session) return <WaitForAccount username={username} />;
  if (session.account.emailVerification) return <GoOn session={session} />;
  return <CheckInbox session={session} />;
}

/** Leads to the first steps, or to where the member wanted to go before signing up. */
function GoOn({ session }: { session: SessionContext }) {
  const navigate = useNavigate();
  const hasLeft = useRef(false);
  useEffect(() => {
    if (hasLeft.current) return;
    hasLeft.current = true;
    void navigate({ href: nextAddress(session), replace: true });
  }, [navigate, session]);
  return null;
}

interface MailedLink {
  secret: string;
  userId: string;
  username: string | undefined;
}

/** The link of the email: it confirms where its account is signed in; elsewhere its reader says whose account it is. */
function OpenLink(link: MailedLink) {
  const session = route.useLoaderData();
  const [isOwner, setIsOwner] = useState(session?.account.id === link.userId);
  if (isOwner) return <ConfirmEmail {...link} />;
  const onSignedIn = () => {
    // Nothing that another member loaded in this tab stays; the page opens the link again.
    if (session) return location.reload();
    clearSession();
    setIsOwner(true);
  };
  return <ReadLink link={link} isSignedIn={session !== null} onSignedIn={onSignedIn} />;
}

interface ReadLinkProps {
  link: MailedLink;
  isSignedIn: boolean;
  onSignedIn: () => void;
}

function ReadLink({ link: { username, ...mailed }, isSignedIn, onSignedIn }: ReadLinkProps) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...accounts.readConfirmation.key, mailed],
    queryFn: () => call(accounts.readConfirmation, { body: mailed }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (error)
    return (
      <LinkError error={error} username={username} isFetching={isFetching} retry={() => void refetch()} />
    );
  if (!data) return <WaitForAccount username={username} />;
  return <WhoseAccount mailed={mailed} confirmation={data} isSignedIn={isSignedIn} onSignedIn={onSignedIn} />;
}

interface LinkErrorProps {
  error: Error;
  username: string | undefined;
  isFetching: boolean;
  retry: () => void;
}

/** Why the link did nothing, and what to do then. */
function LinkError({ error, username, isFetching, retry }: LinkErrorProps) {
  const session = useOptional(sessionQuery);
  const isVoid = isProblem(error, 'user_invalid_token');
  const { title, text } = isVoid && !session ? usedLink : errorNotice(error);
  return (
    <AuthLayout title={title} text={text}>
      {isVoid && !session && (
        <Link to="/sign-in" className={buttonClass()}>
          Sign in
        </Link>
      )}
      {isVoid ? (
        <Resend initial={timer.confirmingInitialSeconds} username={username} />
      ) : (
        // The link itself is still good.
        !isProblem(error, 'user_email_already_verified') && (
          <Button block pending={isFetching} pendingLabel="Confirming..." onClick={retry}>
            Try again
          </Button>
        )
      )}
      {(session || !isVoid) && (
        <Link to={session ? '/' : '/sign-in'} className={buttonClass({ variant: 'ghost' })}>
          {session ? 'Back to Home' : 'Back to sign in'}
        </Link>
      )}
    </AuthLayout>
  );
}

/** For a guest: whoever opened the link before has nothing left to do. */
const usedLink: Notice = {
  title: 'This link was opened before, or is too old',
  text: 'If you opened it before, your email is confirmed: sign in. If not, have a new link sent.',
};

/** Sends the secret, then returns the session, null for a guest. */
async function confirm(body: { secret: string; userId: string }) {
  try {
    await call(account.confirmVerification, { body });
  } catch (error) {
    clearSession();
    const session = await currentSession();
    // The link was opened a second time: the email is already confirmed.
    if (isProblem(error, 'user_invalid_token') && session?.account.emailVerification) return session;
    throw error;
  }
  clearSession();
  return currentSession();
}

/** Confirms the email with the secret of the link (§4). */
function ConfirmEmail({ secret, userId, username }: MailedLink) {
  const navigate = useNavigate();
  // A query, so that the secret is sent only once if React mounts this twice.
  const { data, error, isSuccess, isFetching, refetch } = useQuery({
    queryKey: [...account.confirmVerification.key, { userId, secret }],
    queryFn: () => confirm({ secret, userId }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const signedOut = isSuccess && data === null;
  useEffect(() => {
    if (!signedOut) return;
    toast({ ...notices.confirmedSignInFailed, tone: 'danger', durationMs: timer.confirmingFailureHomeMs });
    const home = setTimeout(() => void navigate({ to: '/' }), timer.confirmingFailureHomeMs);
    return () => clearTimeout(home);
  }, [signedOut, navigate]);

  if (error)
    return (
      <LinkError error={error} username={username} isFetching={isFetching} retry={() => void refetch()} />
    );
  if (signedOut) {
    return (
      <AuthLayout
        title="Email confirmed"
        heading="Your email is confirmed"
        text="You are not signed in on this device: please sign in."
      >
        <Link to="/sign-in" className={buttonClass()}>
          Sign in
        </Link>
      </AuthLayout>
    );
  }
  return data ? <GoOn session={data} /> : <WaitForAccount username={username} />;
}

/** Sends the email again: to the signed-in account, or for a guest to the accounts of a username. */
function Resend({ initial, username }: { initial: number; username: string | undefined }) {
  const session = useOptional(sessionQuery);
  return session ? (
    <ResendButton initial={initial} username={session.profile.username} />
  ) : (
    <ResendBox initial={initial} username={username} />
  );
}

/** Waits 60 s for a session, then shows that no account was found (§4). */
function WaitForAccount({ username }: { username: string | undefined }) {
  const { left, done } = useCountDown(timer.confirmingWaitSeconds);
  if (!done) {
    return (
      <AuthLayout title="Confirming" heading="Looking for your account...">
        <p role="timer" className="figures flex items-center gap-3 text-ink-soft">
          <Spinner /> We keep looking for {left} s
        </p>
        <Link to="/sign-in" className={buttonClass({ variant: 'secondary' })}>
          Sign in
        </Link>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="No account found" text="Sign in or create an account first, or send the link again.">
      <div className="flex flex-wrap gap-3">
        <Link to="/sign-in" className={buttonClass()}>
          Sign in
        </Link>
        <Link to="/sign-up" className={buttonClass({ variant: 'secondary' })}>
          Sign up
        </Link>
      </div>
      <ResendBox initial={timer.verificationMessageInitialSeconds} username={username} />
    </AuthLayout>
  );
}

/** After signing up, and for every member whose email is not confirmed: where the link is, and what to do without it. */
export function CheckInbox({ session: { account, profile } }: { session: SessionContext }) {
  const [isCorrecting, setIsCorrecting] = useState(false);
  return (
    <AuthLayout
      title="Check your inbox"
      text={
        <>
          We sent a link to <strong className="font-semibold wrap-anywhere text-ink">{account.email}</strong>.
          Open it, and this page goes on by itself. It may be in your spam folder.
        </>
      }
    >
      <p className="flex gap-3 rounded-card bg-lagoon-soft p-4 text-sm">
        <Icon of={BadgeCheck} className="shrink-0 text-lagoon" />
        Only verified members offer and request plans. Once your email is confirmed, you can send your ID; an
        admin looks at it.
      </p>
      <ResendButton initial={timer.confirmingInitialSeconds} username={profile.username} />
      {isCorrecting ? (
        <CorrectEmail onDone={() => setIsCorrecting(false)} />
      ) : (
        <div className="-mx-4 flex flex-wrap justify-between">
          <Button variant="ghost" onClick={() => setIsCorrecting(true)}>
            Wrong address?
          </Button>
          <Button variant="ghost" onClick={() => void logOut('/sign-in')}>
            Log out
          </Button>
        </div>
      )}
    </AuthLayout>
  );
}

/** Replaces an email that is not confirmed, and has the link mailed to the new one. */
function CorrectEmail({ onDone }: { onDone: () => void }) {
  const form = useForm({
    schema: ChangeEmail,
    defaultValues: { email: '', password: '' },
    send: (body) => call(account.updateEmail, { body }),
    onSuccess: async (_, { email }) => {
      toast({ title: 'Check your email', text: `Open the link we sent to ${email}.`, tone: 'success' });
      await invalidate(accounts.session);
      onDone();
    },
  });
  return (
    <Form
      form={form}
      label="Correct your email"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4"
    >
      <EmailField form={form} label="Your email" autoComplete="email" autoFocus />
      <PasswordField
        form={form}
        name="password"
        label="Password"
        hint="The one you signed up with."
        autoComplete="current-password"
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onDone}>
          Cancel
        </Button>
        <SubmitButton form={form}>Correct my email</SubmitButton>
      </div>
    </Form>
  );
}
