import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { account, accounts } from '@tara/contract/accounts/accounts';
import { SignUp } from '@tara/contract/accounts/forms';
import { passwordLength, usernameLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { call, errorNotice, type Notice, OfflineError, ProblemError } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, PasswordField, SubmitButton } from '../../lib/form-fields.tsx';
import { destinationSearch, rememberDestination } from '../../lib/url.ts';
import { linkClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { PublicPageLinks } from '../public-pages/index.ts';
import { ConsentFields, confirmingUrl, EmailField, NameField, UsernameField } from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession } from './session.ts';

const route = getRouteApi('/_public/sign-up');

/** /sign-up (§2, §4). */
export function SignUpScreen() {
  const navigate = useNavigate();
  const { redirect } = route.useSearch();
  const form = useForm({
    schema: SignUp,
    defaultValues: { name: '', username: '', email: '', password: '', isAdult: false, acceptsTerms: false },
    send: (fields) => {
      rememberDestination(redirect);
      return signUp(fields);
    },
    draft: { key: 'sign-up', fields: ['name', 'username', 'email'] },
    leaveWarning: null,
    clears: true,
    onSuccess: () => {
      toast({ ...notices.accountCreated, tone: 'success', durationMs: Number.POSITIVE_INFINITY });
    },
    leaveTo: () => ({ to: '/confirming' }),
    problemField: { user_password_common: 'password' },
    failureNotice: (failure) => {
      if (!(failure instanceof SignUpError)) return errorNotice(failure);
      // The account exists and is signed in: only the email failed, and that page can send it again.
      if (failure.step === 'mail') void navigate({ to: '/confirming' });
      return failure.notice;
    },
  });
  return (
    <AuthLayout title="Sign up" heading="Create your account" welcome>
      <Form form={form} className="flex flex-col gap-3">
        <NameField form={form} />
        <UsernameField
          form={form}
          hint={`Letters a to z, numbers and spaces, at most ${usernameLength.max}.`}
        />
        <EmailField form={form} />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          hint={`At least ${passwordLength.min} characters.`}
          autoComplete="new-password"
          lines={2}
        />
        <ConsentFields form={form} />
        <SubmitButton form={form} block>
          Submit
        </SubmitButton>
      </Form>
      <p className="text-sm">
        Already have an account?{' '}
        <Link to="/sign-in" search={destinationSearch(redirect)} className={linkClass}>
          Sign in
        </Link>
      </p>
      <PublicPageLinks />
    </AuthLayout>
  );
}

/** The step at which signing up failed, which decides the notice. */
export class SignUpError extends Error {
  override name = 'SignUpError';
  readonly step: 'create' | 'signIn' | 'mail';

  constructor(step: SignUpError['step'], cause: unknown) {
    super(`Signing up failed at ${step}`, { cause });
    this.step = step;
  }

  /** The notice of §8, or the server's own if it is more specific. */
  get notice(): Notice {
    if (this.cause instanceof OfflineError) return this.cause.notice;
    if (this.step !== 'create') return notices.signUpFailed;
    const notice = this.cause instanceof ProblemError && this.cause.code < 500 ? this.cause.notice : null;
    return notice ?? notices.accountCreationFailed;
  }
}

async function runStep<T>(name: SignUpError['step'], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new SignUpError(name, error);
  }
}

/** Creates the account, signs in, and requests the confirmation email (§4).
 * @throws SignUpFailure
 */
export async function signUp(form: SignUp): Promise<void> {
  const { username, email, password } = form;
  await runStep('create', call(accounts.signUp, { body: form }));
  await runStep('signIn', call(account.createEmailSession, { body: { email, password } }));
  clearSession();
  await runStep('mail', call(account.createVerification, { body: { url: confirmingUrl(username) } }));
}
