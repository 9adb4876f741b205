import { Link } from '@tanstack/react-router';
import { account, accounts } from '@tara/contract/accounts/accounts';
import { allowedName, type Consent, KnownUsername, Password } from '@tara/contract/accounts/forms';
import { nameLength, passwordLength, timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { problemMessage } from '@tara/contract/problems';
import type { ComponentProps } from 'react';
import type { FieldValues, Path } from 'react-hook-form';
import * as z from 'zod/mini';
import { call, isProblem, noticeSentence } from '../../lib/call.ts';
import { type FormHandle, useForm } from '../../lib/form.tsx';
import { CheckboxField, Form, PasswordField, SubmitButton, TextField } from '../../lib/form-fields.tsx';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button, linkClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { useCountDown } from '../../ui/TimeLabel.tsx';

// What several screens of accounts share: the fields of their forms, which each form names alike (hence `as Path<In>`), and
// the buttons that request the confirmation email again.

type FieldOf<In extends FieldValues, Out> = { form: Pick<FormHandle<In, Out>, 'control'> };

interface EmailFieldProps<In extends FieldValues, Out> extends FieldOf<In, Out> {
  label?: string;
  autoComplete?: 'username' | 'email';
  autoFocus?: boolean;
}

export function EmailField<In extends { email: string }, Out>({
  label = 'Email',
  autoComplete = 'username',
  ...field
}: EmailFieldProps<In, Out>) {
  return (
    <TextField
      {...field}
      name={'email' as Path<In>}
      label={label}
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
    />
  );
}

type NameFieldProps<In extends FieldValues, Out> = FieldOf<In, Out> &
  Pick<ComponentProps<typeof TextField>, 'limit'>;

/** The name that people see. Its hint says what is refused before it is written; an error offers the name without that. */
export function NameField<In extends { name?: string | undefined }, Out>(field: NameFieldProps<In, Out>) {
  return (
    <TextField
      {...field}
      name={'name' as Path<In>}
      label="Name"
      autoComplete="name"
      hint={`${nameLength.min} to ${nameLength.max} letters, numbers and spaces, without apostrophes, hyphens and full stops.`}
      lines={2}
      suggest={allowedName}
    />
  );
}

type UsernameFieldProps<In extends FieldValues, Out> = FieldOf<In, Out> &
  Pick<ComponentProps<typeof TextField>, 'hint' | 'limit' | 'lines'>;

export function UsernameField<In extends { username: string }, Out>(field: UsernameFieldProps<In, Out>) {
  return (
    <TextField
      {...field}
      name={'username' as Path<In>}
      label="Username"
      autoComplete="nickname"
      autoCapitalize="none"
    />
  );
}

/** For a schema whose form has `NewPasswordFields`; `passwordsMatch` checks them. */
export const newPassword = { password: Password, passwordAgain: z.string() };

/** Where something asks for the password of a member who joined without one. */
export const passwordMissingTitle = 'Set a password first';

export const passwordsMatch = z.refine<{ password: string; passwordAgain: string }>(
  ({ password, passwordAgain }) => password === passwordAgain,
  { path: ['passwordAgain'], message: problemMessage('user_password_mismatch') },
);

type NewPasswordFieldsProps<In extends FieldValues, Out> = FieldOf<In, Out> &
  Pick<ComponentProps<typeof PasswordField>, 'lines'>;

/** A new password, written twice. */
export function NewPasswordFields<In extends { password: string; passwordAgain: string }, Out>({
  form,
  lines,
}: NewPasswordFieldsProps<In, Out>) {
  const again = 'passwordAgain' as Path<In>;
  return (
    <>
      <PasswordField
        form={form}
        name={'password' as Path<In>}
        label="New password"
        hint={`At least ${passwordLength.min} characters.`}
        autoComplete="new-password"
        deps={[again]}
        lines={lines}
      />
      <PasswordField form={form} name={again} label="New password again" autoComplete="new-password" />
    </>
  );
}

interface CurrentPasswordFieldProps<In extends FieldValues, Out> extends FieldOf<In, Out> {
  name: Path<In>;
  email: string;
  label?: string;
  lines?: 1 | 2;
}

/** The field of the current password; the hidden one names the account for password managers. */
export function CurrentPasswordField<In extends FieldValues, Out>({
  email,
  label = 'Current password',
  ...field
}: CurrentPasswordFieldProps<In, Out>) {
  return (
    <>
      <input hidden name="username" autoComplete="username" value={email} readOnly />
      <PasswordField {...field} label={label} autoComplete="current-password" />
    </>
  );
}

/** The two boxes that every member ticks. The pages open beside the form, which keeps what is filled in. */
export function ConsentFields<In extends z.input<typeof Consent>, Out>({ form }: FieldOf<In, Out>) {
  return (
    <div>
      <CheckboxField form={form} name={'isAdult' as Path<In>} label="I am 18 or older" required />
      <CheckboxField
        form={form}
        name={'acceptsTerms' as Path<In>}
        label={
          <>
            I agree to the{' '}
            <Link to="/terms" target="_blank" className={linkClass}>
              terms
            </Link>{' '}
            and the{' '}
            <Link to="/privacy" target="_blank" className={linkClass}>
              privacy policy
            </Link>
          </>
        }
        required
      />
    </div>
  );
}

/** The URL of the link in the email (§4); the server adds `userId` and `secret`. */
export function confirmingUrl(username: string): string {
  return `${location.origin}/confirming?${new URLSearchParams({ username })}`;
}

const Resend = z.strictObject({
  username: z.pipe(
    z.string().check(z.refine((value) => value.trim() !== '', noticeSentence(notices.usernameMissing))),
    KnownUsername,
  ),
});

interface ResendBoxProps {
  /** Seconds until the email can be sent again for the first time (§9). */
  initial: number;
  /** Prefilled from the link or the session. */
  username?: string | undefined;
}

/** The notice for an email that could not be sent again (§8). */
const resendFailure = (error: unknown) =>
  isProblem(error, 'general_rate_limit_exceeded') ? error.notice : notices.emailResendFailed;

/** What both ways to ask for the email have in common: a button that counts down, and what a sent email shows. */
function useResending(initial: number) {
  const { left, done, restart } = useCountDown(initial);
  return {
    onSuccess: () => {
      toast({ ...notices.emailResent, tone: 'success' });
      restart(timer.resendCountdownSeconds);
    },
    button: {
      variant: 'secondary',
      block: true,
      disabledReason: !done && `You can ask again in ${left} s.`,
      children: done ? 'Resend email' : `Resend email in ${left} s`,
    },
  } as const;
}

/** Requests the confirmation email of the signed-in account again, and of no other. */
export function ResendButton({ initial, username }: { initial: number; username: string }) {
  const { onSuccess, button } = useResending(initial);
  const resend = useCall(account.createVerification, {
    quiet: true,
    onSuccess,
    onError: (error) => {
      // Confirmed elsewhere: the page goes on.
      if (isProblem(error, 'user_email_already_verified')) void invalidate(accounts.session);
      else toast({ ...resendFailure(error), tone: 'danger', durationMs: timer.formToastMs });
    },
  });
  return (
    <Button
      {...button}
      pending={resend.isPending}
      onClick={() => resend.mutate({ body: { url: confirmingUrl(username) } })}
    />
  );
}

/** Requests the confirmation email again, by username (§2, §5): for guests. */
export function ResendBox({ initial, username = '' }: ResendBoxProps) {
  const { onSuccess, button } = useResending(initial);
  const form = useForm({
    schema: Resend,
    defaultValues: { username },
    send: (body) => call(accounts.resendVerification, { body }),
    onSuccess,
    failureNotice: resendFailure,
  });
  return (
    <Form form={form} label="Resend the email" className="flex flex-col gap-2">
      <UsernameField form={form} lines={2} />
      <SubmitButton {...button} form={form} />
    </Form>
  );
}
