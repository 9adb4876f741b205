import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Time } from '../fields.ts';
import { passwordLength } from '../limits.ts';
import { OwnProfile } from '../members/profiles.ts';
import { ChangeUsername, GiveConsent, KnownUsername, Password, SentSecret, SignUp } from './forms.ts';

export { account, accountAliases, type PageQueries } from '../wire/account.ts';

/** Whether an admin has a second factor, and until when this session has the rights of an admin by it. */
export const SecondFactorState = z.object({ isSetUp: z.boolean(), validUntil: z.nullable(Time) });
export type SecondFactorState = z.infer<typeof SecondFactorState>;

/** The session context of the web (§3). */
export const SessionContext = z.object({
  account: z.object({
    id: z.string(),
    email: z.string(),
    emailVerification: z.boolean(),
    isUserAdmin: z.boolean(),
    /** Of an admin's session; null for everybody else. */
    secondFactor: z.nullable(SecondFactorState),
    /** Whether the member agreed to the present terms and privacy policy, and said to be at least 18. */
    hasConsented: z.boolean(),
    /** When the account is deleted, unless it is kept before; null for everybody who stays. */
    deletesAt: z.nullable(Time),
    /** Until then the member reads and does not write; null when not suspended. */
    suspendedUntil: z.nullable(Time),
    /** A warning of an admin, until the member has seen it. */
    warning: z.nullable(z.string()),
  }),
  profile: OwnProfile,
});
export type SessionContext = z.infer<typeof SessionContext>;

/** Where the portrait of a demo account is, by the first part of its email. */
export const demoPortraitPath = (key: string) => `/demo/portrait/${key}`;

/** An account of the demo world as the sign-in page offers it. */
export const DemoAccount = z.object({
  name: z.string(),
  email: z.string(),
  password: z.string(),
  about: z.string(),
  /** The address of a drawn portrait, of the accounts that stand first; null of the others. */
  portrait: z.nullable(z.string()),
  /** A code of an admin's second factor that is good now; null of everybody else. */
  code: z.nullable(z.string()),
});
export type DemoAccount = z.infer<typeof DemoAccount>;

/** What /settings shows of an account beside its profile and sessions. */
export const AccountSettings = z.object({
  email: z.string(),
  /** An email that was asked for and is not confirmed yet; null without. */
  pendingEmail: z.nullable(z.object({ email: z.string(), expiresAt: Time })),
  /** E.164; empty for none. */
  phone: z.string(),
  /** Null without a password, of a member who joined by a link, a code or another provider. */
  passwordUpdatedAt: z.nullable(Time),
});
export type AccountSettings = z.infer<typeof AccountSettings>;

/** Whose email a mailed confirmation link would confirm, for a reader who is not signed in to that account. */
export const OpenConfirmation = z.object({
  name: z.string(),
  username: z.string(),
  /** The address that the link was mailed to. */
  email: z.string(),
  /**
   * How the account's owner goes on: by the `password` they signed up with; or by signing `in` first, where there is no
   * password or the email is to replace the one that they sign in with.
   */
  proof: z.enum(['password', 'signIn']),
  /** Whether somebody who did not sign up may take the account over: its email was never confirmed. */
  claimable: z.boolean(),
});
export type OpenConfirmation = z.infer<typeof OpenConfirmation>;

export const accounts = calls('/api/account', {
  signUp: post('/signUp', {
    summary:
      'Creates an account with its profile and the consent to the present terms; does not sign in. The form of /sign-up.',
    access: 'anyone',
    body: SignUp,
    reply: z.object({ id: z.string() }),
    errors: ['user_already_exists', 'user_password_common'],
  }),
  consent: post('/consent', {
    whileSuspended: true,
    summary:
      'Agrees to the present terms and privacy policy, and says to be at least 18. An account without a name has to send one with it, and one with a name keeps it. Repeating it changes nothing.',
    access: 'account',
    body: GiveConsent,
  }),
  settings: get('/settings', {
    summary: 'Email, phone number and password age of the signed-in account.',
    access: 'account',
    reply: AccountSettings,
  }),
  updateUsername: post('/updateUsername', {
    summary: 'Changes the username of one’s profile (§5).',
    access: 'account',
    body: ChangeUsername,
  }),
  cancelEmailChange: post('/cancelEmailChange', {
    whileSuspended: true,
    summary: 'Withdraws a change of the email that is not confirmed yet.',
    access: 'account',
  }),
  endOtherSessions: post('/endOtherSessions', {
    whileSuspended: true,
    summary: 'Ends every session of the account but this one.',
    access: 'account',
  }),
  session: get('/session', {
    summary: 'The signed-in account with its profile.',
    access: 'account',
    reply: SessionContext,
  }),
  resendVerification: post('/resendVerification', {
    whileDiskFull: true,
    summary:
      'Mails the confirmation link again: with a session to its account, without one to every unconfirmed account of the username. The reply does not reveal whether the username is known (§2, §5).',
    access: 'anyone',
    body: z.strictObject({ username: KnownUsername }),
  }),
  readConfirmation: post('/readConfirmation', {
    whileDiskFull: true,
    summary:
      'Says whose email the secret of a confirmation mail would confirm, and leaves the secret unused: what a page shows before it asks for the password.',
    access: 'anyone',
    body: z.strictObject(SentSecret.shape),
    reply: OpenConfirmation,
    errors: ['user_invalid_token', 'user_email_already_verified'],
  }),
  claim: post('/claim', {
    whileDiskFull: true,
    summary:
      'For the reader of a confirmation mail who did not sign up: uses the secret up, confirms the email and sets a password. Whatever the other person entered or opened is removed, and the account is the reader’s.',
    access: 'anyone',
    body: z.strictObject({ ...SentSecret.shape, password: Password }),
    errors: [
      'user_invalid_token',
      'user_email_already_verified',
      'user_password_common',
      'user_blocked',
      'account_deletion_begun',
    ],
  }),
  dismissWarning: post('/dismissWarning', {
    whileSuspended: true,
    summary: 'Says that the warning of an admin was read; it is not shown again.',
    access: 'account',
  }),
  confirmPassword: post('/confirmPassword', {
    whileSuspended: true,
    summary: 'Confirms the password: this session may make sensitive calls for 15 minutes.',
    access: 'account',
    body: z.strictObject({ password: z.string().check(z.minLength(1), z.maxLength(passwordLength.max)) }),
    errors: ['user_password_wrong'],
  }),
  demo: get('/demo', {
    summary:
      'What the sign-in page offers beside its form: the accounts of the demo world, and other providers that are configured. Each is empty without them.',
    access: 'anyone',
    reply: z.object({
      accounts: z.array(DemoAccount),
      /** Whether the demo world is being made, so that more accounts come. */
      isFilling: z.boolean(),
      providers: z.array(z.object({ name: z.string(), title: z.string() })),
    }),
  }),
});
