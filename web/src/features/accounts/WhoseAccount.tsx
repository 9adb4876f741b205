import { Link, useNavigate } from '@tanstack/react-router';
import { account, accounts, type OpenConfirmation } from '@tara/contract/accounts/accounts';
import { CurrentPassword } from '@tara/contract/accounts/forms';
import { useState } from 'react';
import * as z from 'zod/mini';
import { call, errorNotice, isProblem, type Notice } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { Button, buttonClass, linkClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Avatar } from '../../ui/Picture.tsx';
import { CurrentPasswordField, NewPasswordFields, newPassword, passwordsMatch } from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession, logOut } from './session.ts';

interface MailedSecret {
  secret: string;
  userId: string;
}

interface WhoseAccountProps {
  mailed: MailedSecret;
  confirmation: OpenConfirmation;
  /** Another account is signed in here. */
  isSignedIn: boolean;
  /** The account of the link is signed in now. */
  onSignedIn: () => void;
}

/**
 * A confirmation link that is opened where its account is not signed in: somebody else may have signed up with the
 * reader's email, so nothing is confirmed until the reader says whose account it is.
 */
export function WhoseAccount({ mailed, confirmation, isSignedIn, onSignedIn }: WhoseAccountProps) {
  const [isClaiming, setIsClaiming] = useState(false);
  if (confirmation.proof === 'signIn' && !confirmation.claimable)
    return <SignInFirst confirmation={confirmation} isSignedIn={isSignedIn} />;
  if (isClaiming)
    return (
      <Claim
        mailed={mailed}
        email={confirmation.email}
        isSignedIn={isSignedIn}
        onBack={() => setIsClaiming(false)}
      />
    );
  return (
    <AuthLayout
      title="Did you sign up?"
      text={
        <>
          Somebody signed up for Tara with <Email>{confirmation.email}</Email>. If it was you, confirm it with
          your password.
        </>
      }
    >
      <Person confirmation={confirmation} />
      {confirmation.proof === 'password' ? (
        <OwnerPassword email={confirmation.email} onSignedIn={onSignedIn} />
      ) : (
        <p className="text-ink-soft">
          If it was you, open the link again on the device on which you are signed in.
        </p>
      )}
      <Button variant="ghost" onClick={() => setIsClaiming(true)}>
        I did not sign up
      </Button>
    </AuthLayout>
  );
}

const Email = ({ children }: { children: string }) => (
  <strong className="font-semibold wrap-anywhere text-ink">{children}</strong>
);

/** Who the account says to be. An account that another client made may have no name yet. */
function Person({ confirmation: { name, username } }: { confirmation: OpenConfirmation }) {
  return (
    <div className="flex items-center gap-3 rounded-card border border-line bg-surface p-4">
      <Avatar name={name} size="md" />
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name || 'No name yet'}</p>
        <p className="text-sm wrap-anywhere text-ink-soft">{username}</p>
      </div>
    </div>
  );
}

const OwnPassword = z.strictObject({ password: CurrentPassword });

const wrongPassword: Notice = { title: 'This is not the password of this account.' };

/** The password of whoever signed up; signing in with it goes on to the confirmation. */
function OwnerPassword({ email, onSignedIn }: { email: string; onSignedIn: () => void }) {
  const form = useForm({
    schema: OwnPassword,
    defaultValues: { password: '' },
    clears: true,
    send: ({ password }) => call(account.createEmailSession, { body: { email, password } }),
    onSuccess: onSignedIn,
    failureField: 'password',
    failureNotice: (error) =>
      isProblem(error, 'user_invalid_credentials') ? wrongPassword : errorNotice(error),
  });
  return (
    <Form form={form} label="Confirm with your password" className="flex flex-col gap-3">
      <CurrentPasswordField form={form} name="password" email={email} label="Your password" lines={2} />
      <SubmitButton form={form} block>
        Yes, confirm my email
      </SubmitButton>
      <Link to="/recovery" className={`${linkClass} self-start text-sm`}>
        Forgot your password?
      </Link>
    </Form>
  );
}

/** A new email of a confirmed account, or an account without a password: its owner signs in first. */
function SignInFirst({ confirmation, isSignedIn }: Pick<WhoseAccountProps, 'confirmation' | 'isSignedIn'>) {
  return (
    <AuthLayout
      title="Sign in first"
      text={
        <>
          This account wants to use <Email>{confirmation.email}</Email> from now on. If it is yours, sign in
          to it here and open the link in the email again. If not, close this page: nothing changes.
        </>
      }
    >
      <Person confirmation={confirmation} />
      {isSignedIn ? (
        <Button onClick={() => void logOut('/sign-in')}>Log out and sign in to it</Button>
      ) : (
        <Link to="/sign-in" className={buttonClass()}>
          Sign in
        </Link>
      )}
    </AuthLayout>
  );
}

const NewPassword = z.strictObject(newPassword).check(passwordsMatch);

interface ClaimProps {
  mailed: MailedSecret;
  email: string;
  isSignedIn: boolean;
  onBack: () => void;
}

/** For a reader who did not sign up: the account becomes theirs, as new, or stays unconfirmed. */
function Claim({ mailed, email, isSignedIn, onBack }: ClaimProps) {
  const navigate = useNavigate();
  const form = useForm({
    schema: NewPassword,
    defaultValues: { password: '', passwordAgain: '' },
    clears: true,
    send: async ({ password }) => {
      await call(accounts.claim, { body: { ...mailed, password } });
      await call(account.createEmailSession, { body: { email, password } });
    },
    onSuccess: async () => {
      // Nothing that another member loaded in this tab stays.
      if (isSignedIn) return location.assign('/');
      clearSession();
      toast({ title: 'The account is yours', text: 'You can add your name in Settings.', tone: 'success' });
      await navigate({ to: '/', replace: true });
    },
    problemField: { user_password_common: 'password' },
  });
  return (
    <AuthLayout
      title="Your email, your account"
      text={
        <>
          Somebody else entered <Email>{email}</Email>. You can close this page: without you, their account
          stays unconfirmed. Or choose a password to make the account yours: everything they entered is
          removed, and they are signed out.
        </>
      }
    >
      <Form form={form} label="Make the account yours" className="flex flex-col gap-3">
        <input hidden name="username" autoComplete="username" value={email} readOnly />
        <NewPasswordFields form={form} lines={2} />
        <SubmitButton form={form} block>
          Make it mine
        </SubmitButton>
      </Form>
      <Button variant="ghost" onClick={onBack}>
        Back
      </Button>
    </AuthLayout>
  );
}
