import { Link } from '@tanstack/react-router';
import { account, Email } from '@tara/contract/accounts';
import { useState } from 'react';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { Form, SubmitButton, useForm } from '../../lib/form.tsx';
import { TextField } from '../../lib/form-fields.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { linkClass } from '../../ui/TextLink.tsx';
import { AuthLayout } from './AuthLayout.tsx';

const Recovery = z.strictObject({ email: Email });

/** /recovery: a forgotten password. Says the same whether or not the email is known. */
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
        heading="Check your email"
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
      heading="Forgot your password?"
      text="Tell us your email, and we send you a link to set a new one."
    >
      <Form form={form} className="flex flex-col gap-3">
        <TextField
          form={form}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
        />
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
