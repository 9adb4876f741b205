import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { wordsOfFailure } from '../../lib/failure.ts';
import { showFieldErrors, useZodForm } from '../../lib/forms.ts';
import { AuthLayout } from '../../shell/AuthLayout.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { linkClass } from '../../ui/TextLink.tsx';
import { toast } from '../../ui/toast.ts';
import { DemoAccounts } from './DemoAccounts.tsx';
import { signIn } from './sign-in.ts';

/** Loaded when someone begins to write. */
const rules = async () => (await import('@tara/contract/accounts')).SignIn;

/** /sign-in (§2). */
export function SignInScreen() {
  const navigate = useNavigate();
  const form = useZodForm(rules, { defaultValues: { email: '', password: '' } });
  const { errors } = form.formState;
  const signingIn = useMutation({
    mutationFn: signIn,
    onSuccess: async (session) => {
      if (session) await navigate({ to: '/' });
      else toast({ ...notices.signInUnverified, tone: 'danger', duration: timer.formToast });
    },
    onError: (error) => {
      if (showFieldErrors(form, error)) return;
      toast({ ...wordsOfFailure(error), tone: 'danger', duration: timer.formToast });
    },
  });
  return (
    <AuthLayout title="Sign in" heading="Login in to your account.">
      <form
        noValidate
        className="flex flex-col gap-5"
        onFocus={() => void rules()}
        onSubmit={form.handleSubmit((values) => signingIn.mutate(values))}
      >
        <Field label="Email" error={errors.email?.message}>
          <TextInput type="email" autoComplete="username" inputMode="email" {...form.register('email')} />
        </Field>
        <Field label="Password" error={errors.password?.message}>
          <PasswordInput autoComplete="current-password" {...form.register('password')} />
        </Field>
        <Button type="submit" block pending={signingIn.isPending} pendingLabel="Signing in...">
          Sign In
        </Button>
      </form>
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-2 text-sm">
        <span>
          New here?{' '}
          <Link to="/sign-up" className={linkClass}>
            Sign up
          </Link>
        </span>
        <Link to="/recovery" className={linkClass}>
          Forgot your password?
        </Link>
      </p>
      <DemoAccounts
        busyWith={signingIn.isPending ? signingIn.variables.email : null}
        onChoose={({ email, password }) => signingIn.mutate({ email, password })}
      />
    </AuthLayout>
  );
}
