import { accounts } from '@tara/contract/accounts';
import { useId } from 'react';
import * as z from 'zod/mini';
import { call, usePasswordPrompt } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, PasswordField } from '../../lib/form-fields.tsx';
import { Button } from '../../ui/Button.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { useSession } from './session.ts';

const CurrentPassword = z.strictObject({
  password: z.string().check(z.minLength(1, 'Enter your password.')),
});

/** Rendered once in the layout: opens when a call needs a recent password; then the call is repeated. */
export default function ConfirmPassword() {
  const { isOpen, answer } = usePasswordPrompt();
  const { account } = useSession();
  const id = useId();
  const form = useForm({
    schema: CurrentPassword,
    defaultValues: { password: '' },
    clears: true,
    send: (body) => call(accounts.confirmPassword, { body }),
    onSuccess: () => answer(true),
    failureField: 'password',
  });
  const isSending = form.status === 'sending';
  const cancel = () => {
    if (isSending) return;
    form.clear();
    answer(false);
  };
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
          <Button type="submit" form={id} pending={isSending} pendingLabel="Checking...">
            Confirm
          </Button>
        </>
      }
    >
      <Form form={form} id={id} className="pb-1">
        {/* Tells password managers which account the password belongs to. */}
        <input hidden name="username" autoComplete="username" value={account.email} readOnly />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="current-password"
          lines={2}
        />
      </Form>
    </ResponsiveDialog>
  );
}
