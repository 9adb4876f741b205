import { Link } from '@tanstack/react-router';
import { account } from '@tara/contract/accounts/accounts';
import { problemNotice } from '@tara/contract/problems';
import { useState } from 'react';
import * as z from 'zod/mini';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { NewPasswordFields, newPassword, passwordsMatch } from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession } from './session.ts';

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
