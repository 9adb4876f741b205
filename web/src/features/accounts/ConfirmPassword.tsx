import { CurrentPassword } from '@tara/contract/account-forms';
import { accounts } from '@tara/contract/accounts';
import { useId } from 'react';
import * as z from 'zod/mini';
import { call, usePasswordPrompt } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form } from '../../lib/form-fields.tsx';
import { Button } from '../../ui/Button.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { CurrentPasswordField } from './AccountFields.tsx';
import { useSession } from './index.ts';

const OwnPassword = z.strictObject({ password: CurrentPassword });

/** Rendered once in the layout: opens when a call needs a recent password; then the call is repeated. */
export default function ConfirmPassword() {
  const { isOpen, answer } = usePasswordPrompt();
  const { account } = useSession();
  const id = useId();
  const form = useForm({
    schema: OwnPassword,
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
        <CurrentPasswordField form={form} name="password" email={account.email} label="Password" lines={2} />
      </Form>
    </ResponsiveDialog>
  );
}
