import type { SignIn } from '@tara/contract/account-forms';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formatDuration } from '../../lib/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/Field.tsx';

type FieldErrors = { [Name in keyof SignIn]?: string };

interface SignInFormProps {
  pending: boolean;
  /** Field errors of the server. */
  serverErrors: FieldErrors;
  /** Why the last attempt failed, shown until the next one. */
  failure?: string | undefined;
  /** Seconds until the server accepts another attempt with this email. */
  wait: { email: string; seconds: number };
  onSubmit: (form: SignIn) => void;
}

/** Loads the schema, when a field gets the focus. */
const loadSchema = () => import('@tara/contract/account-forms');

/**
 * Not `useForm`: the form library and zod would raise the first load above its budget (docs/decisions/0024-forms.md), so
 * the two fields are read from the DOM and the schema is loaded when it is needed.
 */
export function SignInForm({ pending, serverErrors, failure, wait, onSubmit }: SignInFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failedSubmits, setFailedSubmits] = useState(0);
  const [email, setEmail] = useState('');
  const mustWait = wait.seconds > 0 && email.trim().toLowerCase() === wait.email;
  // After the errors are rendered, so that a screen reader reads the first invalid control with its error.
  useEffect(() => {
    if (failedSubmits > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [failedSubmits]);

  /** Validates the fields and shows their errors; returns the values if they are valid. */
  const check = async (): Promise<SignIn | null> => {
    const { SignIn } = await loadSchema();
    const result = SignIn.safeParse(Object.fromEntries(new FormData(form.current ?? undefined)));
    // The first error of each field.
    const issues = result.error?.issues.map(({ path, message }) => [path[0], message]).reverse() ?? [];
    setErrors(Object.fromEntries(issues));
    return result.data ?? null;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (mustWait) return;
    const values = await check();
    if (values) onSubmit(values);
    else setFailedSubmits((count) => count + 1);
  };
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-3"
      onFocus={() => void loadSchema()}
      onInput={failedSubmits > 0 ? () => void check() : undefined}
      onSubmit={submit}
    >
      <Field label="Email" error={errors.email ?? serverErrors.email}>
        <TextInput
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          onInput={(event) => setEmail(event.currentTarget.value)}
        />
      </Field>
      <Field label="Password" error={errors.password ?? serverErrors.password ?? failure}>
        <PasswordInput name="password" autoComplete="current-password" />
      </Field>
      <Button
        type="submit"
        block
        pending={pending}
        pendingLabel="Signing in..."
        disabledReason={mustWait && `You can try again in ${formatDuration(wait.seconds)}.`}
      >
        {mustWait ? `Try again in ${formatDuration(wait.seconds)}` : 'Sign In'}
      </Button>
    </form>
  );
}
