import { Link, useNavigate } from '@tanstack/react-router';
import { account, accounts } from '@tara/contract/accounts/accounts';
import { Consent, Email } from '@tara/contract/accounts/forms';
import { personalData } from '@tara/contract/accounts/personal-data';
import { problemNotice } from '@tara/contract/problems';
import { useState } from 'react';
import * as z from 'zod/mini';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { useCall } from '../../lib/queries.ts';
import { takeDestination } from '../../lib/url.ts';
import { Button, buttonClass, linkClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import {
  ConsentFields,
  EmailField,
  NewPasswordFields,
  newPassword,
  passwordsMatch,
} from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession, logOut, useSession } from './index.ts';

const Recovery = z.strictObject({ email: Email });

/** /recovery: a forgotten password. Shows the same text whether or not the email is known. */
export function RecoveryScreen() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    schema: Recovery,
    defaultValues: { email: '' },
    send: ({ email }) =>
      call(account.createRecovery, { body: { email, url: `${location.origin}/reset-password` } }),
    onSuccess: (_, { email }) => setSentTo(email),
  });
  if (sentTo !== undefined) {
    return (
      <AuthLayout
        title="Check your email"
        text={`If ${sentTo} has an account here, a link to set a new password is on its way. It works for one hour.`}
      >
        <Link to="/sign-in" className={buttonClass({ variant: 'secondary' })}>
          Back to sign in
        </Link>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Forgot your password?"
      text="Enter your email, and we will send you a link to set a new password."
    >
      <Form form={form} className="flex flex-col gap-3">
        <EmailField form={form} />
        <SubmitButton form={form} block>
          Send the link
        </SubmitButton>
      </Form>
      <Link to="/sign-in" className={`${linkClass} self-start text-sm`}>
        Back to sign in
      </Link>
    </AuthLayout>
  );
}

const NewPassword = z.strictObject(newPassword).check(passwordsMatch);

interface ResetPasswordScreenProps {
  secret?: string | undefined;
  userId?: string | undefined;
}

/** /reset-password: the target of the link in the recovery email. */
export function ResetPasswordScreen({ secret, userId }: ResetPasswordScreenProps) {
  if (secret && userId) return <ResetPasswordForm secret={secret} userId={userId} />;
  const { title, text } = problemNotice('user_invalid_token');
  return (
    <AuthLayout title={title} text={text}>
      <Link to="/recovery" className={buttonClass()}>
        Request a new link
      </Link>
    </AuthLayout>
  );
}

function ResetPasswordForm({ secret, userId }: { secret: string; userId: string }) {
  const [isExpired, setIsExpired] = useState(false);
  const form = useForm({
    schema: NewPassword,
    defaultValues: { password: '', passwordAgain: '' },
    send: (values) => call(account.confirmRecovery, { body: { ...values, secret, userId } }),
    onSuccess: () => {
      // The server ended all sessions, including this one.
      clearSession();
      toast({ title: 'Your password was changed', text: 'Please sign in with it.', tone: 'success' });
    },
    leaveTo: () => ({ to: '/sign-in', replace: true }),
    problemField: { user_password_common: 'password' },
    failureNotice: (error) => {
      if (!isProblem(error, 'user_invalid_token')) return errorNotice(error);
      setIsExpired(true);
      return null;
    },
  });
  if (isExpired) return <ResetPasswordScreen />;
  return (
    <AuthLayout title="Set a new password" text="It signs you out everywhere else.">
      <Form form={form} className="flex flex-col gap-3">
        <NewPasswordFields form={form} lines={2} />
        <SubmitButton form={form} block>
          Save
        </SubmitButton>
      </Form>
    </AuthLayout>
  );
}

// Where the guards of the main group send members before they get any further.

/** `/consent`: for members of before the present terms, and for those whose account another client made. */
export function ConsentScreen() {
  const navigate = useNavigate();
  const form = useForm({
    schema: Consent,
    defaultValues: { isAdult: false, acceptsTerms: false },
    send: (body) => call(accounts.consent, { body }),
    onSuccess: async () => {
      clearSession();
      await navigate({ href: takeDestination(), replace: true });
    },
  });
  return (
    <AuthLayout
      title="Before you go on"
      text="Please read the terms and the privacy policy of Tara. You can go on once you agree."
    >
      <Form form={form} className="flex flex-col gap-3">
        <ConsentFields form={form} />
        <SubmitButton form={form} block>
          Agree and go on
        </SubmitButton>
      </Form>
      <Button variant="ghost" onClick={() => void logOut('/sign-in')}>
        Log out
      </Button>
    </AuthLayout>
  );
}

const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** `/leaving`: for members who sign in during the 14 days before the account is deleted. */
export function LeavingScreen() {
  const { account } = useSession();
  const keep = useCall(personalData.keep, {
    onSuccess: () => {
      toast({ title: 'Welcome back!', text: 'Your account stays.', tone: 'success' });
      // From the first page: everything that was refused meanwhile is loaded again.
      location.assign('/');
    },
  });
  if (account.deletesAt === null) return null;
  return (
    <AuthLayout
      title="Your account is about to be deleted"
      heading={`Your account is deleted on ${longDay.format(new Date(account.deletesAt))}`}
      text={
        <>
          You asked for it, so <strong className="font-semibold text-ink">{account.email}</strong> is hidden
          from everybody. Until that day you can keep it, with everything in it.
        </>
      }
    >
      <Button pending={keep.isPending} onClick={() => keep.mutate({})}>
        Keep my account
      </Button>
      <Button variant="ghost" onClick={() => void logOut('/sign-in')}>
        Log out
      </Button>
    </AuthLayout>
  );
}
