import type { SignIn } from '@tara/contract/accounts';
import { type FormEvent, useRef, useState } from 'react';
import { duration } from '../../lib/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { TextInput } from '../../ui/TextInput.tsx';

type Broken = { [Name in keyof SignIn]?: string };

interface SignInFormProps {
  pending: boolean;
  /** Rules that only the server knows. */
  refused: Broken;
  /** Seconds until the server takes another try with this email. */
  wait: { email: string; seconds: number };
  onSubmit: (form: SignIn) => void;
}

/** What checks the form is loaded when someone begins to write: two fields need no form library on the first page. */
const loadRules = () => import('@tara/contract/accounts');

export function SignInForm({ pending, refused, wait, onSubmit }: SignInFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [broken, setBroken] = useState<Broken>({});
  const [tried, setTried] = useState(false);
  const [email, setEmail] = useState('');
  const mustWait = wait.seconds > 0 && email.trim().toLowerCase() === wait.email;

  /** Shows what is wrong, or nothing, and answers the form when it is right. */
  const check = async (): Promise<SignIn | null> => {
    const { SignIn } = await loadRules();
    const read = SignIn.safeParse(Object.fromEntries(new FormData(form.current ?? undefined)));
    // The first broken rule of each field.
    const issues = read.error?.issues.map(({ path, message }) => [path[0], message]).reverse() ?? [];
    setBroken(Object.fromEntries(issues));
    return read.data ?? null;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (mustWait) return;
    setTried(true);
    const right = await check();
    if (right) onSubmit(right);
    // The field says itself that it is invalid, once React has drawn it.
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-5"
      onFocus={() => void loadRules()}
      onInput={tried ? () => void check() : undefined}
      onSubmit={submit}
    >
      <Field label="Email" error={broken.email ?? refused.email}>
        <TextInput
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          onInput={(event) => setEmail(event.currentTarget.value)}
        />
      </Field>
      <Field label="Password" error={broken.password ?? refused.password}>
        <PasswordInput name="password" autoComplete="current-password" />
      </Field>
      <Button
        type="submit"
        block
        pending={pending}
        pendingLabel="Signing in..."
        disabledReason={mustWait && `You can try again in ${duration(wait.seconds)}.`}
      >
        {mustWait ? `Try again in ${duration(wait.seconds)}` : 'Sign In'}
      </Button>
    </form>
  );
}
