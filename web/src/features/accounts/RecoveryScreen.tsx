import { Link } from '@tanstack/react-router';
import { account } from '@tara/contract/accounts/accounts';
import { Email } from '@tara/contract/accounts/forms';
import { useState } from 'react';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { buttonClass, linkClass } from '../../ui/Button.tsx';
import { EmailField } from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';

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
