import { type AccountSettings, account, accounts } from '@tara/contract/accounts/accounts';
import {
  ChangeEmail,
  ChangeName,
  ChangePhone,
  ChangeUsername,
  CurrentPassword,
} from '@tara/contract/accounts/forms';
import type { Call } from '@tara/contract/calls';
import { nameLength, recentPasswordMs, usernameLength } from '@tara/contract/limits';
import { type OwnProfile, profiles } from '@tara/contract/members/profiles';
import { devices } from '@tara/contract/notifications/devices';
import { useState } from 'react';
import * as z from 'zod/mini';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { FormDialog, TextField } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import {
  CurrentPasswordField,
  EmailField,
  NameField,
  NewPasswordFields,
  newPassword,
  passwordMissingTitle,
  passwordsMatch,
  UsernameField,
} from './AccountFields.tsx';
import { logOut } from './session.ts';

export type SettingsField = 'name' | 'username' | 'email' | 'phone' | 'password';

interface DialogsProps {
  editing: SettingsField | null;
  onClose: () => void;
  profile: OwnProfile;
  settings: AccountSettings;
  /** Whether the present email is confirmed. */
  isConfirmed: boolean;
}

/** The forms of /settings, one of them at a time. */
export function SettingsDialogs({ editing, onClose, profile, settings, isConfirmed }: DialogsProps) {
  const { email, phone } = settings;
  const hasPassword = settings.passwordUpdatedAt !== null;
  const needsPassword = editing === 'email' || editing === 'phone' || editing === 'password';
  const state = (field: SettingsField) => ({
    open: editing === field && (hasPassword || !needsPassword),
    onClose,
  });
  return (
    <>
      <NameDialog key={`name ${profile.name}`} {...state('name')} profile={profile} />
      <UsernameDialog
        key={`username ${profile.username}`}
        {...state('username')}
        username={profile.username}
      />
      <EmailDialog {...state('email')} email={email} isConfirmed={isConfirmed} />
      <PhoneDialog key={`phone ${phone}`} {...state('phone')} phone={phone} email={email} />
      <PasswordDialog {...state('password')} email={email} />
      <FirstPasswordDialog
        open={needsPassword && !hasPassword}
        onClose={onClose}
        email={email}
        title={editing === 'password' ? 'Set a password' : passwordMissingTitle}
      />
    </>
  );
}

interface DialogState {
  open: boolean;
  onClose: () => void;
}

/** Says that something was changed, closes the dialog and reads again what shows it. */
async function finish(onClose: () => void, notice: { title: string; text?: string }, ...shownBy: Call[]) {
  toast({ ...notice, tone: 'success' });
  onClose();
  await invalidate(...shownBy);
}

/** What another name means for a member (decision 0046). */
function renameHint({ verified, sentVerifiedReq }: OwnProfile): string {
  if (verified === true)
    return 'You are verified by this name. Another name takes your verified mark away: your plans get no new requests until you are verified again. Payouts still go to the verified name.';
  if (sentVerifiedReq) return 'An admin is verifying this name. You can change it once that is decided.';
  return 'Everybody sees it beside your posts and plans. Payouts are sent to the name that is verified.';
}

function NameDialog({ profile, ...dialog }: DialogState & { profile: OwnProfile }) {
  const form = useForm({
    schema: ChangeName,
    defaultValues: { name: profile.name },
    send: (body) => call(account.updateName, { body }),
    onSuccess: () =>
      finish(dialog.onClose, { title: 'Your name was changed.' }, accounts.session, profiles.get),
  });
  return (
    <FormDialog {...dialog} form={form} title="Change your name" description={renameHint(profile)}>
      <NameField form={form} limit={nameLength.max} />
    </FormDialog>
  );
}

function UsernameDialog({ username, ...dialog }: DialogState & { username: string }) {
  const form = useForm({
    schema: ChangeUsername,
    defaultValues: { username },
    send: (body) => call(accounts.updateUsername, { body }),
    onSuccess: () =>
      finish(dialog.onClose, { title: 'Your username was changed.' }, accounts.session, profiles.get),
  });
  return (
    <FormDialog {...dialog} form={form} title="Change your username" description="Friends find you by it.">
      <UsernameField form={form} limit={usernameLength.max} />
    </FormDialog>
  );
}

interface EmailDialogProps extends DialogState {
  email: string;
  isConfirmed: boolean;
}

function EmailDialog({ email, isConfirmed, ...dialog }: EmailDialogProps) {
  const form = useForm({
    schema: ChangeEmail,
    defaultValues: { email: '', password: '' },
    clears: true,
    send: (body) => call(account.updateEmail, { body }),
    onSuccess: (_, { email }) => {
      const notice = { title: 'Check your email', text: `Open the link we sent to ${email}.` };
      return finish(dialog.onClose, notice, accounts.settings, accounts.session);
    },
  });
  return (
    <FormDialog
      {...dialog}
      form={form}
      title="Change your email"
      description={
        isConfirmed
          ? `We send a link to the new email. Until you open it, you sign in with ${email}.`
          : 'We send a link to the new email.'
      }
    >
      <EmailField form={form} label="New email" autoComplete="email" />
      <CurrentPasswordField form={form} name="password" email={email} />
    </FormDialog>
  );
}

function PhoneDialog({ phone, email, ...dialog }: DialogState & { phone: string; email: string }) {
  const form = useForm({
    schema: ChangePhone,
    defaultValues: { phone, password: '' },
    send: (body) => call(account.updatePhone, { body }),
    onSuccess: ({ phone }) => {
      const notice = { title: `Your phone number was ${phone ? 'changed' : 'removed'}.` };
      return finish(dialog.onClose, notice, accounts.settings);
    },
  });
  return (
    <FormDialog
      {...dialog}
      form={form}
      title="Change your phone number"
      description="Only you see it. Payouts use the number in your profile."
    >
      <TextField
        form={form}
        name="phone"
        label="Phone number"
        hint="Such as +63 917 123 4567; leave it empty to remove it."
        lines={2}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
      />
      <CurrentPasswordField form={form} name="password" email={email} />
    </FormDialog>
  );
}

const FirstPassword = z.strictObject(newPassword).check(passwordsMatch);

/** For a member who joined without a password, also before a change that asks for it. */
function FirstPasswordDialog({
  email,
  title,
  onClose,
  open,
}: DialogState & { email: string; title: string }) {
  const [mustSignIn, setMustSignIn] = useState(false);
  const close = () => {
    setMustSignIn(false);
    onClose();
  };
  const form = useForm({
    schema: FirstPassword,
    defaultValues: { password: '', passwordAgain: '' },
    clears: true,
    problemField: { user_password_common: 'password' },
    failureNotice: (error) => {
      if (!isProblem(error, 'user_sign_in_again')) return errorNotice(error);
      setMustSignIn(true);
      return null;
    },
    send: ({ password }) => call(account.updatePassword, { body: { password } }),
    onSuccess: () => {
      const notice = { title: 'Your password was set', text: 'The other devices are logged out.' };
      return finish(close, notice, accounts.settings, account.listSessions, devices.list);
    },
  });
  return (
    <FormDialog
      open={open}
      onClose={close}
      form={form}
      title={title}
      description={`${email === '' ? 'Add an email as well, to sign in with both.' : 'You then sign in with it and your email as well.'} It logs out your other devices.`}
    >
      <input hidden name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordFields form={form} />
      {mustSignIn && (
        <div
          role="alert"
          className="flex flex-col items-start gap-2 rounded-control bg-mango-soft p-3 text-sm text-mango-ink"
        >
          <p>
            You signed in more than {recentPasswordMs / 60_000} minutes ago. Log out and sign in again, then
            set it at once{email !== '' && ', or choose “Forgot your password?” where you sign in'}.
          </p>
          <Button variant="secondary" size="sm" onClick={() => void logOut()}>
            Log out
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

const ChangePassword = z.strictObject({ oldPassword: CurrentPassword, ...newPassword }).check(passwordsMatch);

function PasswordDialog({ email, ...dialog }: DialogState & { email: string }) {
  const form = useForm({
    schema: ChangePassword,
    defaultValues: { oldPassword: '', password: '', passwordAgain: '' },
    clears: true,
    problemField: { user_password_common: 'password' },
    send: ({ oldPassword, password }) => call(account.updatePassword, { body: { oldPassword, password } }),
    onSuccess: () => {
      const notice = { title: 'Your password was changed', text: 'The other devices are logged out.' };
      return finish(dialog.onClose, notice, accounts.settings, account.listSessions, devices.list);
    },
  });
  return (
    <FormDialog
      {...dialog}
      form={form}
      title="Change your password"
      description="It logs out your other devices."
    >
      <CurrentPasswordField form={form} name="oldPassword" email={email} />
      <NewPasswordFields form={form} />
    </FormDialog>
  );
}
