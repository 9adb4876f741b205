import * as z from 'zod/mini';
import {
  ChangeEmail,
  ChangeName,
  ChangePhone,
  Email,
  Name,
  Password,
  Phone,
  SentSecret,
  Username,
} from '../accounts/forms.ts';
import { calls, del, get, patch, post, put } from '../calls.ts';
import { NewId } from '../fields.ts';
import { jwtSeconds, passwordLength, prefsSize } from '../limits.ts';
import { AccountLog, Session, Token, User } from './account-records.ts';

/** URL of a page. The length is checked before the URL is parsed. */
const WebAddress = z.pipe(
  z.string().check(z.maxLength(2000, 'Must be at most 2000 characters.')),
  z.url('Must be a full address'),
);

const Prefs = z
  .record(z.string(), z.unknown())
  .check(
    z.refine(
      (prefs) => new TextEncoder().encode(JSON.stringify(prefs)).length <= prefsSize,
      `Must be at most ${prefsSize / 1024} KB.`,
    ),
  );

/** Whether the reply and the mail show the same words, by which a person knows that they belong together. */
export const Phrase = z.nullish(z.boolean('Must be true or false.'));

const SessionId = z.object({ sessionId: z.string().check(z.maxLength(36)) });
const Empty = z.undefined();

const PageQuery = z.string().check(z.maxLength(100));
/** `limit` and `offset` of a list, in both syntaxes of the SDKs: `limit(25)` and `{"method":"limit","values":[25]}`. */
const PageQueries = z.object({
  'queries[0]': z.optional(PageQuery),
  'queries[1]': z.optional(PageQuery),
  'queries[]': z.optional(z.union([PageQuery, z.array(PageQuery).check(z.maxLength(2))])),
});
export type PageQueries = z.infer<typeof PageQueries>;

/** The backend service's account calls (§7). Bodies accept unknown keys, as that wire does. */
export const account = calls('/v1/account', {
  create: post('', {
    summary:
      'Creates an account with its profile, and mails the link that confirms its email; does not sign in. `username` is an addition to the service’s own fields. Such an account gives its consent before it uses plans (`POST /api/account/consent`).',
    access: 'anyone',
    status: 201,
    body: z.object({
      userId: NewId,
      email: Email,
      password: Password,
      name: z.optional(Name),
      username: z.optional(Username),
    }),
    reply: User,
    errors: ['user_already_exists', 'user_password_common'],
  }),
  get: get('', { summary: 'The signed-in account.', access: 'account', reply: User }),
  createEmailSession: post('/sessions/email', {
    whileDiskFull: true,
    summary: 'Signs in; the cookie carries the secret.',
    access: 'anyone',
    status: 201,
    body: z.object({ email: Email, password: Password }),
    reply: Session,
    errors: ['user_invalid_credentials', 'user_blocked', 'account_deletion_begun'],
  }),
  createAnonymousSession: post('/sessions/anonymous', {
    summary:
      'Makes an account without email and password, with its profile, and signs in to it. It may do what an unconfirmed one may; setting email and password (`PATCH /v1/account/email`) makes it an account like any other.',
    access: 'anyone',
    status: 201,
    reply: Session,
    errors: ['user_session_already_exists'],
  }),
  createMagicUrl: post('/sessions/magic-url', {
    whileDiskFull: true,
    summary:
      'Mails a link to `url` (on one of our origins; our own page unless given) that signs in within 1 h. With `phrase` the reply and the mail show the same words. The reply is the same whether or not the email has an account.',
    access: 'anyone',
    status: 201,
    body: z.object({ userId: NewId, email: Email, url: z.optional(WebAddress), phrase: Phrase }),
    reply: Token,
  }),
  confirmMagicUrl: put('/sessions/magic-url', {
    whileDiskFull: true,
    summary:
      'Signs in with the secret of the mail and confirms the email; makes the account if there is none. An account whose email was not confirmed begins anew: whatever was entered or opened before is removed.',
    access: 'anyone',
    status: 201,
    body: SentSecret,
    reply: Session,
    errors: ['user_invalid_token', 'user_blocked', 'account_deletion_begun'],
  }),
  createPhoneCode: post('/sessions/phone', {
    whileDiskFull: true,
    summary:
      'Texts a code of 6 digits that signs in within 15 minutes. The reply is the same whether or not the phone has an account.',
    access: 'anyone',
    status: 201,
    body: z.object({ userId: NewId, phone: Phone.check(z.minLength(1, 'Enter a phone number.')) }),
    reply: Token,
    errors: ['general_phone_disabled'],
  }),
  confirmPhoneCode: put('/sessions/phone', {
    whileDiskFull: true,
    summary: 'Signs in with the code of the text, at most 5 tries; makes the account if there is none.',
    access: 'anyone',
    status: 201,
    body: SentSecret,
    reply: Session,
    errors: ['user_invalid_token', 'user_blocked', 'account_deletion_begun'],
  }),
  createPhoneVerification: post('/verification/phone', {
    whileSuspended: true,
    summary: 'Texts a code of 6 digits that confirms the phone number of the account within 15 minutes.',
    access: 'account',
    status: 201,
    reply: Token,
    errors: ['user_phone_not_found', 'user_phone_already_verified', 'general_phone_disabled'],
  }),
  confirmPhoneVerification: put('/verification/phone', {
    whileDiskFull: true,
    summary: 'Confirms the phone number with the code of the text, at most 5 tries.',
    access: 'anyone',
    body: SentSecret,
    reply: Token,
    errors: ['user_invalid_token'],
  }),
  listSessions: get('/sessions', {
    summary: 'Every session of the account.',
    access: 'account',
    reply: z.object({ total: z.int(), sessions: z.array(Session) }),
  }),
  getSession: get('/sessions/:sessionId', {
    summary: 'One session; `current` is an id.',
    access: 'account',
    params: SessionId,
    reply: Session,
    errors: ['user_session_not_found'],
  }),
  deleteSession: del('/sessions/:sessionId', {
    whileSuspended: true,
    summary: 'Ends one session; `current` signs out.',
    access: 'account',
    status: 204,
    params: SessionId,
    reply: Empty,
    errors: ['user_session_not_found'],
  }),
  deleteSessions: del('/sessions', {
    whileSuspended: true,
    summary: 'Ends every session of the account.',
    access: 'account',
    status: 204,
    reply: Empty,
  }),
  updatePassword: patch('/password', {
    whileSuspended: true,
    summary: 'Sets a new password and ends the other sessions.',
    access: 'account',
    body: z.object({ password: Password, oldPassword: z.optional(z.string().check(z.maxLength(256))) }),
    reply: User,
    errors: ['user_invalid_credentials', 'user_password_common', 'user_sign_in_again'],
  }),
  updateName: patch('/name', {
    summary:
      'Changes the name of the account and its profile, which are one value. Another name takes the verified mark away; while a verification waits it is refused.',
    access: 'account',
    body: z.object(ChangeName.shape),
    reply: User,
    errors: ['profile_name_in_verification'],
  }),
  updateEmail: patch('/email', {
    whileSuspended: true,
    summary:
      'Asks for another email. A confirmed one stays until the link mailed to the new one is opened, and is notified; an unconfirmed one is replaced at once. Of an account without email and password it sets both.',
    access: 'account',
    body: z.object(ChangeEmail.shape),
    reply: User,
    errors: [
      'user_invalid_credentials',
      'user_email_already_exists',
      'user_password_common',
      'user_sign_in_again',
    ],
  }),
  updatePhone: patch('/phone', {
    whileSuspended: true,
    summary:
      'Changes the phone number for sign-in; an empty one removes it. Payouts use the profile’s number.',
    access: 'account',
    body: z.object(ChangePhone.shape),
    reply: User,
    errors: ['user_invalid_credentials', 'user_phone_already_exists'],
  }),
  getPrefs: get('/prefs', {
    summary: 'What the account’s clients have stored.',
    access: 'account',
    reply: z.record(z.string(), z.unknown()),
  }),
  updatePrefs: patch('/prefs', {
    summary: 'Replaces what the account’s clients have stored, at most 64 KB.',
    access: 'account',
    body: z.object({ prefs: Prefs }),
    reply: User,
  }),
  createJwt: post('/jwt', {
    summary:
      'Makes a token that stands for this session in `X-Appwrite-JWT`, for at most an hour; it ends with the session.',
    access: 'account',
    status: 201,
    body: z.object({
      duration: z.optional(z.int().check(z.minimum(0), z.maximum(jwtSeconds.max))),
    }),
    reply: z.object({ jwt: z.string() }),
    whileSuspended: true,
    errors: ['user_jwt_creation_denied'],
  }),
  listLogs: get('/logs', {
    summary: 'The security events of the account, newest first.',
    access: 'account',
    query: PageQueries,
    reply: z.object({ total: z.int(), logs: z.array(AccountLog) }),
  }),
  updateStatus: patch('/status', {
    whileSuspended: true,
    recentPassword: 'always',
    summary:
      'Leaves: as deleting the account, it hides the member, ends every session, and can be undone by signing in within 14 days.',
    access: 'account',
    reply: User,
    errors: ['account_requests_open'],
  }),
  createVerification: post('/verification', {
    whileSuspended: true,
    summary:
      'Mails a link to `url` (on one of our origins; its query is preserved) that confirms the email within 1 h.',
    access: 'account',
    status: 201,
    body: z.object({ url: WebAddress }),
    reply: Token,
    errors: ['user_email_already_verified', 'user_email_not_found'],
  }),
  confirmVerification: put('/verification', {
    whileDiskFull: true,
    summary:
      'Confirms the email address with the secret of the mail; of a changed one, makes it the account’s.',
    access: 'anyone',
    body: SentSecret,
    reply: Token,
    errors: ['user_invalid_token', 'user_email_already_exists'],
  }),
  createRecovery: post('/recovery', {
    whileDiskFull: true,
    summary: 'Mails a link to set a new password. The reply does not reveal whether the email is known.',
    access: 'anyone',
    status: 201,
    body: z.object({ email: Email, url: WebAddress }),
    reply: Token,
  }),
  confirmRecovery: put('/recovery', {
    whileDiskFull: true,
    summary:
      'Sets a new password with the mailed secret and ends every session. An account whose email was not confirmed begins anew: whatever was entered or opened before is removed.',
    access: 'anyone',
    body: z.extend(SentSecret, {
      password: Password,
      passwordAgain: z.optional(z.string().check(z.maxLength(passwordLength.max))),
    }),
    reply: Token,
    errors: [
      'user_invalid_token',
      'user_password_mismatch',
      'user_password_common',
      'user_blocked',
      'account_deletion_begun',
    ],
  }),
});

/** Paths that the newest SDK uses for the same calls. */
export const accountAliases: ReadonlyArray<{ call: keyof typeof account; path: string }> = [
  { call: 'createMagicUrl', path: '/v1/account/tokens/magic-url' },
  { call: 'createPhoneCode', path: '/v1/account/tokens/phone' },
  { call: 'createPhoneVerification', path: '/v1/account/verifications/phone' },
  { call: 'confirmPhoneVerification', path: '/v1/account/verifications/phone' },
  { call: 'createJwt', path: '/v1/account/jwts' },
  { call: 'createVerification', path: '/v1/account/verifications/email' },
  { call: 'confirmVerification', path: '/v1/account/verifications/email' },
];
