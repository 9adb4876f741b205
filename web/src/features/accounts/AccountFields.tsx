import { Link } from '@tanstack/react-router';
import { type Consent, Password } from '@tara/contract/account-forms';
import { passwordLength } from '@tara/contract/limits';
import { problemMessage } from '@tara/contract/problems';
import type { ComponentProps } from 'react';
import type { FieldValues, Path } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FormHandle } from '../../lib/form.tsx';
import { CheckboxField, PasswordField, TextField } from '../../lib/form-fields.tsx';
import { linkClass } from '../../ui/Button.tsx';

// The fields of more than one form of accounts. Each form names them alike, hence `as Path<In>`.

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

/** Of a schema whose form has `NewPasswordFields`; `passwordsMatch` checks them. */
export const newPassword = { password: Password, passwordAgain: z.string() };

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

/** The field of the current password; the hidden one tells password managers which account it belongs to. */
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
