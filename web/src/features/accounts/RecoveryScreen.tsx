import { Link } from '@tanstack/react-router';
import { account, Email } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import * as z from 'zod/mini';
import { wordsOfFailure } from '../../lib/failure.ts';
import { showFieldErrors, useZodForm } from '../../lib/forms.ts';
import { useCall } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { linkClass } from '../../ui/TextLink.tsx';
import { toast } from '../../ui/toast.ts';
import { AuthLayout } from './AuthLayout.tsx';

const Recovery = z.strictObject({ email: Email });

/** /recovery: a forgotten password. Says the same whether or not the e-mail is known. */
export function RecoveryScreen() {
  const form = useZodForm(Recovery, { defaultValues: { email: '' } });
  const recover = useCall(account.createRecovery, {
    quiet: true,
    onError: (error) => {
      if (showFieldErrors(form, error)) return;
      toast({ ...wordsOfFailure(error), tone: 'danger', duration: timer.formToast });
    },
  });
  if (recover.isSuccess) {
    return (
      <AuthLayout
        title="Check your email"
        heading="Check your email"
        text={`If ${recover.variables.body.email} has an account here, a link to set a new password is on its way. It works for one hour.`}
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
      text="Tell us your e-mail, and we send you a link to set a new one."
    >
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={form.handleSubmit(({ email }) =>
          recover.mutate({ body: { email, url: `${location.origin}/reset-password` } }),
        )}
      >
        <Field label="Email" error={form.formState.errors.email?.message}>
          <TextInput type="email" autoComplete="username" inputMode="email" {...form.register('email')} />
        </Field>
        <Button type="submit" block pending={recover.isPending}>
          Send the link
        </Button>
      </form>
      <Link to="/sign-in" className={`${linkClass} self-start text-sm`}>
        Back to sign in
      </Link>
    </AuthLayout>
  );
}
