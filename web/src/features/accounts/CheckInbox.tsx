import { ChangeEmail } from '@tara/contract/account-forms';
import { account, accounts, type SessionContext } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { useState } from 'react';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, PasswordField, SubmitButton, TextField } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { ResendButton } from './ResendBox.tsx';
import { logOut } from './session.ts';

/** After signing up, and for every member whose email is not confirmed: where the link is, and what to do without it. */
export function CheckInbox({ session: { account, profile } }: { session: SessionContext }) {
  const [isCorrecting, setIsCorrecting] = useState(false);
  return (
    <AuthLayout
      title="Check your inbox"
      heading="Check your inbox"
      text={
        <>
          We sent a link to <strong className="font-semibold wrap-anywhere text-ink">{account.email}</strong>.
          Open it, and this page goes on by itself. It may be in your spam folder.
        </>
      }
    >
      <ResendButton initial={timer.confirmingInitialSeconds} username={profile.username} />
      {isCorrecting ? (
        <CorrectEmail onDone={() => setIsCorrecting(false)} />
      ) : (
        <div className="-mx-4 flex flex-wrap justify-between">
          <Button variant="ghost" onClick={() => setIsCorrecting(true)}>
            Wrong address?
          </Button>
          <Button variant="ghost" onClick={() => void logOut('/sign-in')}>
            Log out
          </Button>
        </div>
      )}
    </AuthLayout>
  );
}

/** Replaces an email that is not confirmed, and has the link mailed to the new one. */
function CorrectEmail({ onDone }: { onDone: () => void }) {
  const form = useForm({
    schema: ChangeEmail,
    defaultValues: { email: '', password: '' },
    send: (body) => call(account.updateEmail, { body }),
    onSuccess: async (_, { email }) => {
      toast({ title: 'Check your email', text: `Open the link we sent to ${email}.`, tone: 'success' });
      await invalidate(accounts.session);
      onDone();
    },
  });
  return (
    <Form
      form={form}
      label="Correct your email"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4"
    >
      <TextField
        form={form}
        name="email"
        label="Your email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoFocus
      />
      <PasswordField
        form={form}
        name="password"
        label="Password"
        hint="The one you signed up with."
        autoComplete="current-password"
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onDone}>
          Cancel
        </Button>
        <SubmitButton form={form}>Correct my email</SubmitButton>
      </div>
    </Form>
  );
}
