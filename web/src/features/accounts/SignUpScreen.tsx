import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { SignUp } from '@tara/contract/account-forms';
import { passwordLength, usernameLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { errorNotice } from '../../lib/failure.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, PasswordField, SubmitButton, TextField } from '../../lib/form-fields.tsx';
import { destinationSearch, rememberDestination } from '../../lib/url.ts';
import { linkClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { PublicPageLinks } from '../public-pages/index.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { ConsentFields, consentNames } from './ConsentScreen.tsx';
import { SignUpError, signUp } from './sign-up.ts';

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
    onSuccess: async () => {
      toast({ ...notices.accountCreated, tone: 'success', durationMs: Number.POSITIVE_INFINITY });
      await navigate({ to: '/confirming' });
    },
    problemField: { user_password_common: 'password' },
    failureNotice: (failure) => {
      if (!(failure instanceof SignUpError)) return errorNotice(failure);
      // The account exists and is signed in: only the email failed, and that page can send it again.
      if (failure.step === 'mail') void navigate({ to: '/confirming' });
      return failure.notice;
    },
  });
  const isSent = form.status === 'sent';
  return (
    <AuthLayout title="Sign up" heading="Create your account" welcome>
      <Form form={form} className="flex flex-col gap-3">
        <TextField form={form} name="name" label="Name" autoComplete="name" />
        <TextField
          form={form}
          name="username"
          label="Username"
          hint={`Letters, numbers and spaces, at most ${usernameLength.max}.`}
          autoComplete="nickname"
          autoCapitalize="none"
        />
        <TextField
          form={form}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
        />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          hint={`At least ${passwordLength.min} characters.`}
          autoComplete="new-password"
          lines={2}
        />
        <ConsentFields form={form} names={consentNames} />
        <SubmitButton
          form={form}
          block
          disabledReason={isSent && 'Your account is ready. Open the link in the email we sent you.'}
        >
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
