import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { SignUp } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { sentenceOf } from '@tara/contract/problems';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { showFieldErrors, useZodForm } from '../../lib/forms.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { linkClass } from '../../ui/TextLink.tsx';
import { toast } from '../../ui/toast.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { SignUpFailure, signUp } from './sign-up.ts';

const blank = { name: '', username: '', email: '', password: '' };

/** /sign-up (§2, §4). */
export function SignUpScreen() {
  const navigate = useNavigate();
  const form = useZodForm(SignUp, { defaultValues: blank });
  const { errors } = form.formState;
  const signingUp = useMutation({
    mutationFn: signUp,
    onSuccess: () => {
      form.reset(blank);
      toast({ ...notices.accountCreated, tone: 'success', duration: Number.POSITIVE_INFINITY });
    },
    onError: async (failure) => {
      const cause = failure instanceof SignUpFailure ? failure.cause : failure;
      if (showFieldErrors(form, cause)) return;
      if (isProblem(cause, 'user_password_common')) {
        form.setError('password', { message: sentenceOf('user_password_common') }, { shouldFocus: true });
        return;
      }
      const words = failure instanceof SignUpFailure ? failure.words : wordsOfFailure(failure);
      toast({ ...words, tone: 'danger', duration: timer.formToast });
      // The account is there and signed in: only the mail is missing, and that page can send it again.
      if (failure instanceof SignUpFailure && failure.step === 'mail') await navigate({ to: '/confirming' });
    },
  });
  return (
    <AuthLayout title="Sign up" heading="Create your account" text="Make friends and hang out for real.">
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={form.handleSubmit((values) => signingUp.mutate(values))}
      >
        <Field label="Name" error={errors.name?.message}>
          <TextInput autoComplete="name" {...form.register('name')} />
        </Field>
        <Field
          label="Username"
          hint="Letters, numbers and spaces, at most 15."
          error={errors.username?.message}
        >
          <TextInput autoComplete="nickname" autoCapitalize="none" {...form.register('username')} />
        </Field>
        <Field label="Email" error={errors.email?.message}>
          <TextInput type="email" autoComplete="username" inputMode="email" {...form.register('email')} />
        </Field>
        <Field label="Password" hint="At least 8 characters." error={errors.password?.message}>
          <PasswordInput autoComplete="new-password" {...form.register('password')} />
        </Field>
        <Button
          type="submit"
          block
          pending={signingUp.isPending}
          disabledReason={signingUp.isSuccess && 'Your account is there. Open the link in the mail to go on.'}
        >
          Submit
        </Button>
      </form>
      {signingUp.isSuccess ? (
        <p className="text-sm">
          No mail yet?{' '}
          <Link to="/confirming" className={linkClass}>
            Send it again
          </Link>
        </p>
      ) : (
        <p className="text-sm">
          Already with us?{' '}
          <Link to="/sign-in" className={linkClass}>
            Sign in
          </Link>
        </p>
      )}
    </AuthLayout>
  );
}
