import { Link, useNavigate } from '@tanstack/react-router';
import { account, Password } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { sentenceOf, wordsOf } from '@tara/contract/problems';
import * as z from 'zod/mini';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { showFieldErrors, useZodForm } from '../../lib/forms.ts';
import { useCall } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { toast } from '../../ui/toast.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { forgetSession } from './session.ts';

const NewPassword = z.strictObject({ password: Password, passwordAgain: z.string() }).check(
  z.refine(({ password, passwordAgain }) => password === passwordAgain, {
    path: ['passwordAgain'],
    message: sentenceOf('user_password_mismatch'),
  }),
);

interface ResetPasswordScreenProps {
  secret?: string | undefined;
  userId?: string | undefined;
}

/** /reset-password: where the mailed link of a forgotten password leads. */
export function ResetPasswordScreen({ secret, userId }: ResetPasswordScreenProps) {
  if (secret && userId) return <ResetPasswordForm secret={secret} userId={userId} />;
  const { title, text } = wordsOf('user_invalid_token');
  return (
    <AuthLayout title={title} heading={title} text={text}>
      <Link to="/recovery" className={buttonClass()}>
        Ask for a new link
      </Link>
    </AuthLayout>
  );
}

function ResetPasswordForm({ secret, userId }: { secret: string; userId: string }) {
  const navigate = useNavigate();
  const form = useZodForm(NewPassword, { defaultValues: { password: '', passwordAgain: '' } });
  const { errors } = form.formState;
  const reset = useCall(account.confirmRecovery, {
    quiet: true,
    onSuccess: async () => {
      // It ended every session, this one too.
      forgetSession();
      toast({ title: 'Your password is changed', text: 'Please sign in with it.', tone: 'success' });
      await navigate({ to: '/sign-in', replace: true });
    },
    onError: (error) => {
      if (showFieldErrors(form, error)) return;
      if (isProblem(error, 'user_password_common')) {
        form.setError('password', { message: sentenceOf('user_password_common') }, { shouldFocus: true });
        return;
      }
      toast({ ...wordsOfFailure(error), tone: 'danger', duration: timer.formToast });
    },
  });
  if (isProblem(reset.error, 'user_invalid_token')) return <ResetPasswordScreen />;
  return (
    <AuthLayout
      title="Set a new password"
      heading="Set a new password"
      text="It signs you out everywhere else."
    >
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={form.handleSubmit((values) => reset.mutate({ body: { ...values, secret, userId } }))}
      >
        <Field label="New password" hint="At least 8 characters." error={errors.password?.message}>
          <PasswordInput autoComplete="new-password" {...form.register('password')} />
        </Field>
        <Field label="New password again" error={errors.passwordAgain?.message}>
          <PasswordInput autoComplete="new-password" {...form.register('passwordAgain')} />
        </Field>
        <Button type="submit" block pending={reset.isPending}>
          Save
        </Button>
      </form>
    </AuthLayout>
  );
}
