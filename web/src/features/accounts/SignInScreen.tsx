import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { DemoAccount, SessionContext } from '@tara/contract/accounts/accounts';
import type { SignIn } from '@tara/contract/accounts/forms';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call, errorNotice, errorSentence, formatDuration, ProblemError } from '../../lib/call.ts';
import { destinationSearch, safeDestination } from '../../lib/url.ts';
import { Button, buttonClass, linkClass } from '../../ui/Button.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/Field.tsx';
import { toast } from '../../ui/feedback.ts';
import { Spinner } from '../../ui/Icon.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { useCountDown } from '../../ui/TimeLabel.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession, currentSession, firstCalls } from './session.ts';
import { useDemo } from './use-demo.ts';

const route = getRouteApi('/_public/sign-in');

/** What somebody signs in with, in the form or by a press on a demo account. */
type Attempt = SignIn & { isDemo: boolean };

/** /sign-in (§2). */
export function SignInScreen() {
  const navigate = useNavigate();
  const { redirect } = route.useSearch();
  const [waitingEmail, setWaitingEmail] = useState('');
  const countDown = useCountDown(0);
  const signingIn = useMutation({
    mutationFn: ({ email, password }: Attempt) => signIn({ email, password }),
    onSuccess: async (session) => {
      if (session) await navigate({ href: safeDestination(redirect) ?? '/' });
      else toast({ ...notices.signInUnverified, tone: 'danger', durationMs: timer.formToastMs });
    },
    onError: (error, { email, isDemo }) => {
      if (error instanceof ProblemError && error.retryAfterSeconds > 0) {
        setWaitingEmail(email);
        countDown.restart(error.retryAfterSeconds);
      }
      // The form says it at its password, where it stays; the demo accounts are further down.
      if (isDemo) toast({ ...errorNotice(error), tone: 'danger', durationMs: timer.formToastMs });
    },
  });
  const formError = signingIn.variables?.isDemo ? null : signingIn.error;
  return (
    <AuthLayout title="Sign in" heading="Login in to your account." welcome>
      <SignInForm
        pending={signingIn.isPending}
        serverErrors={formError instanceof ProblemError ? formError.fields : {}}
        failure={formError ? errorSentence(formError) : undefined}
        wait={{ email: waitingEmail, seconds: countDown.left }}
        onSubmit={(form) => signingIn.mutate({ ...form, isDemo: false })}
      />
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-2 text-sm">
        <span>
          New here?{' '}
          <Link to="/sign-up" search={destinationSearch(redirect)} className={linkClass}>
            Sign up
          </Link>
        </span>
        <Link to="/recovery" className={linkClass}>
          Forgot your password?
        </Link>
        <Link to="/verification-message" className={linkClass}>
          No email from us yet?
        </Link>
      </p>
      <OtherProviders />
      <DemoAccounts
        busyWith={signingIn.isPending ? signingIn.variables.email : null}
        onChoose={({ email, password }) => signingIn.mutate({ email, password, isDemo: true })}
      />
    </AuthLayout>
  );
}

/** Signs in and reads the session. Null if that check fails (§4: 'Are you verified?').
 * @throws ProblemError, OfflineError as `call` does.
 */
async function signIn(form: SignIn): Promise<SessionContext | null> {
  await call(firstCalls.createEmailSession, { body: form });
  clearSession();
  return currentSession();
}

/** Links to other providers, which lead back here when they fail. Renders nothing if none is configured. */
function OtherProviders() {
  const { redirect, error } = route.useSearch();
  const data = useDemo();
  const pages = new URLSearchParams({
    success: location.origin + (safeDestination(redirect) ?? '/'),
    failure: `${location.origin}/sign-in`,
  });
  return (
    <>
      {error && (
        // Its own text is not shown: anybody can write an address.
        <p role="alert" className="text-sm text-ember">
          {error.includes('user_email_already_exists')
            ? 'This email already has an account. Sign in to it with your password instead.'
            : 'Signing in at the other site did not work. Please try again.'}
        </p>
      )}
      {data && data.providers.length > 0 && (
        <div className="flex flex-col gap-2">
          {data.providers.map(({ name, title }) => (
            <a
              key={name}
              href={`/v1/account/sessions/oauth2/${name}?${pages}`}
              className={buttonClass({ variant: 'secondary', block: true })}
            >
              Continue with {title}
            </a>
          ))}
        </div>
      )}
    </>
  );
}

interface DemoAccountsProps {
  /** Email of the account that is signing in, null if none is. */
  busyWith: string | null;
  onChoose: (account: DemoAccount) => void;
}

/** How many demo accounts are in sight; the others are folded. */
const IN_SIGHT = 4;

/** The demo accounts, to sign in with one press, as they come. Renders nothing if there is no demo world. */
function DemoAccounts(props: DemoAccountsProps) {
  const data = useDemo();
  if (!data || (data.accounts.length === 0 && !data.isFilling)) return null;
  const folded = data.accounts.slice(IN_SIGHT);
  return (
    <section aria-labelledby="demo-accounts" className="border-t border-line pt-5">
      <h2 id="demo-accounts" className="font-semibold">
        Look around as
      </h2>
      <DemoAccountList {...props} accounts={data.accounts.slice(0, IN_SIGHT)} />
      {data.isFilling && (
        <p role="status" className="flex min-h-11 items-center gap-3 p-2 text-sm text-ink-soft">
          <Spinner /> The demo world is being created: people, posts and plans are on their way.
        </p>
      )}
      {folded.length > 0 && (
        <details>
          <summary className="flex min-h-11 w-fit cursor-pointer items-center rounded-control px-2 text-sm font-medium text-lagoon">
            {folded.length} more
          </summary>
          <DemoAccountList {...props} accounts={folded} />
        </details>
      )}
    </section>
  );
}

function DemoAccountList({ accounts, busyWith, onChoose }: DemoAccountsProps & { accounts: DemoAccount[] }) {
  return (
    <ul className="mt-2 flex flex-col gap-1">
      {accounts.map((account) => (
        <li key={account.email}>
          <button
            type="button"
            aria-disabled={busyWith !== null}
            onClick={() => busyWith === null && onChoose(account)}
            className="flex min-h-11 w-full items-center gap-3 rounded-control p-2 text-left hover:bg-sunken"
          >
            <Avatar name={account.name} src={account.portrait} size={account.portrait ? 'lg' : 'md'} />
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{account.name}</span>
              <span className="block text-sm text-ink-soft">{account.about}</span>
            </span>
            {busyWith === account.email && <Spinner className="text-ink-soft" />}
          </button>
        </li>
      ))}
    </ul>
  );
}

type FieldErrors = { [Name in keyof SignIn]?: string };

interface SignInFormProps {
  pending: boolean;
  /** Field errors of the server. */
  serverErrors: FieldErrors;
  /** Why the last attempt failed, shown until the next one. */
  failure?: string | undefined;
  /** Seconds until the server accepts another attempt with this email. */
  wait: { email: string; seconds: number };
  onSubmit: (form: SignIn) => void;
}

/** Loads the schema, when a field gets the focus. */
const loadSchema = () => import('@tara/contract/accounts/forms');

/**
 * Not `useForm`: the form library and zod would raise the first load above its budget (docs/decisions/0024-forms.md), so
 * the two fields are read from the DOM and the schema is loaded when it is needed.
 */
export function SignInForm({ pending, serverErrors, failure, wait, onSubmit }: SignInFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failedSubmits, setFailedSubmits] = useState(0);
  const [email, setEmail] = useState('');
  const mustWait = wait.seconds > 0 && email.trim().toLowerCase() === wait.email;
  // After the errors are rendered, so that a screen reader reads the first invalid control with its error.
  useEffect(() => {
    if (failedSubmits > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [failedSubmits]);

  /** Validates the fields and shows their errors; returns the values if they are valid. */
  const check = async (): Promise<SignIn | null> => {
    const { SignIn } = await loadSchema();
    const result = SignIn.safeParse(Object.fromEntries(new FormData(form.current ?? undefined)));
    // The first error of each field.
    const issues = result.error?.issues.map(({ path, message }) => [path[0], message]).reverse() ?? [];
    setErrors(Object.fromEntries(issues));
    return result.data ?? null;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (mustWait) return;
    const values = await check();
    if (values) onSubmit(values);
    else setFailedSubmits((count) => count + 1);
  };
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-3"
      onFocus={() => void loadSchema()}
      onInput={failedSubmits > 0 ? () => void check() : undefined}
      onSubmit={submit}
    >
      <Field label="Email" error={errors.email ?? serverErrors.email}>
        <TextInput
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          onInput={(event) => setEmail(event.currentTarget.value)}
        />
      </Field>
      <Field label="Password" error={errors.password ?? serverErrors.password ?? failure}>
        <PasswordInput name="password" autoComplete="current-password" />
      </Field>
      <Button
        type="submit"
        block
        pending={pending}
        pendingLabel="Signing in..."
        disabledReason={mustWait && `You can try again in ${formatDuration(wait.seconds)}.`}
      >
        {mustWait ? `Try again in ${formatDuration(wait.seconds)}` : 'Sign In'}
      </Button>
    </form>
  );
}
