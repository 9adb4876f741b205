import { accounts } from '@tara/contract/accounts';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { passwordPrompt } from '../../lib/password-prompt.ts';
import { useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { ResponsiveDialog } from '../../ui/ResponsiveDialog.tsx';
import { useStore } from '../../ui/store.ts';
import { useSession } from './session.ts';

/** Put once beside the screens of members: opens whenever a call needs a recent password, then the call is repeated. */
export function ConfirmPassword() {
  const prompt = useStore(passwordPrompt);
  const { account } = useSession();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<string>();
  const refuse = (text: string) => {
    setError(text);
    form.current?.querySelector<HTMLInputElement>('[name=password]')?.select();
  };
  const confirming = useCall(accounts.confirmPassword, {
    quiet: true,
    onSuccess: () => prompt?.answer(true),
    onError: (failure) => {
      const { title, text } = wordsOfFailure(failure);
      const sentence = text === undefined ? title : `${title}: ${text}`;
      refuse(isProblem(failure, 'user_password_wrong') ? 'This is not your password.' : sentence);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirming.isPending) return;
    const password = new FormData(form.current ?? undefined).get('password');
    if (typeof password !== 'string' || password === '') return refuse('Enter your password.');
    setError(undefined);
    confirming.mutate({ body: { password } });
  };
  const cancel = () => {
    if (!confirming.isPending) prompt?.answer(false);
  };
  const isOpen = prompt !== null;
  useEffect(() => {
    if (isOpen) setError(undefined);
  }, [isOpen]);
  return (
    <ResponsiveDialog
      open={isOpen}
      onOpenChange={(next) => !next && cancel()}
      title="Confirm your password"
      description="This keeps your account safe if somebody else uses this device. You are asked again after 15 minutes."
      actions={
        <>
          <Button variant="secondary" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" form={formId} pending={confirming.isPending} pendingLabel="Checking...">
            Confirm
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={submit} className="pb-1">
        {/* Tells a password manager whose password it is. */}
        <input hidden name="username" autoComplete="username" value={account.email} readOnly />
        <Field label="Password" error={error}>
          <PasswordInput name="password" autoComplete="current-password" />
        </Field>
      </form>
    </ResponsiveDialog>
  );
}
