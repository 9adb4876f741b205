import { nowDate, nowMs } from '@tara/contract/clock';
import type { AccountLog, Session, Token, User } from '@tara/contract/wire/account-records';
import type { Identity } from '@tara/contract/wire/oauth2';
import type {
  AccountRow,
  accountEvents,
  IdentityRow,
  SentSecret,
  TokenRow,
} from '../features/accounts/index.ts';
import type { ShownSession } from '../platform/documents.ts';
import { describeUserAgent } from '../platform/http/user-agent.ts';
import { newId } from '../platform/ids.ts';
import { wireTime, wireTimeOrEmpty } from '../platform/wire-time.ts';

/** The account as its owner sees it on the wire; never with a hash. */
export function presentUser(row: AccountRow): User {
  return {
    $id: row.id,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    name: row.name,
    registration: wireTime(row.createdAt),
    status: row.blockedAt === null && row.deletesAt === null,
    labels: row.labels,
    passwordUpdate: wireTimeOrEmpty(row.passwordHash === '' ? null : row.passwordUpdatedAt),
    email: row.email ?? '',
    phone: row.phone ?? '',
    emailVerification: row.emailVerifiedAt !== null,
    phoneVerification: row.phoneVerifiedAt !== null,
    prefs: row.prefs,
    accessedAt: wireTime(row.accessedAt),
    mfa: false,
    targets: [],
  };
}

const presentDevice = ({ ip, userAgent }: { ip: string; userAgent: string }) => ({
  ip,
  ...describeUserAgent(userAgent),
  countryCode: '--',
  countryName: 'Unknown',
});

/** Tokens of providers are never stored. */
const noTokens = { providerAccessToken: '', providerAccessTokenExpiry: '', providerRefreshToken: '' };

/** What a session's beginning showed, by its provider. */
const factors: Record<string, string> = { email: 'password', 'magic-url': 'email', token: 'email' };
/** Providers that know a person by the account's email. */
const byEmail: ReadonlySet<string> = new Set(['email', 'magic-url', 'token']);

/** A session on the wire. `secret` is the cookie's, and `''` wherever the cookie carries it. */
export function presentSession(
  row: ShownSession,
  { email, currentId, secret = '' }: { email: string; currentId: string; secret?: string },
): Session {
  return {
    $id: row.id,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    userId: row.accountId,
    expire: wireTime(row.expiresAt),
    provider: row.provider,
    providerUid: byEmail.has(row.provider) ? email : row.providerUid,
    ...noTokens,
    ...presentDevice(row),
    current: row.id === currentId,
    factors: [factors[row.provider] ?? row.provider],
    secret,
    mfaUpdatedAt: '',
  };
}

/** A mailed secret on the wire: the secret itself goes to nobody but the mail. */
export const presentToken = (row: Pick<TokenRow, 'id' | 'createdAt' | 'accountId' | 'expiresAt'>): Token => ({
  $id: row.id,
  $createdAt: wireTime(row.createdAt),
  userId: row.accountId,
  secret: '',
  expire: wireTime(row.expiresAt),
  phrase: '',
});

/** A secret that signs in, on the wire: alike whether or not there is an account. */
export const presentSentSecret = ({ reference, expiresAt, phrase = '' }: SentSecret): Token => ({
  ...presentToken({ id: newId(), createdAt: nowDate(), accountId: reference, expiresAt }),
  phrase,
});

/** The reply to a recovery, with or without an account: it reveals neither that nor whose. */
export const presentUntoldToken = (): Token =>
  presentSentSecret({ reference: '', expiresAt: new Date(nowMs() + 3600_000) });

/** A security event of the account on the wire. */
export function presentLog(row: typeof accountEvents.$inferSelect, account: AccountRow): AccountLog {
  return {
    event: row.event,
    userId: account.id,
    userEmail: account.email ?? '',
    userName: account.name,
    mode: 'default',
    userType: 'user',
    time: wireTime(row.createdAt),
    ...presentDevice(row),
  };
}

/** An identity at another provider, whose tokens are never stored. */
export function presentIdentity(row: IdentityRow): Identity {
  return {
    $id: row.id,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    userId: row.accountId,
    provider: row.provider,
    providerUid: row.providerUid,
    providerEmail: row.providerEmail,
    ...noTokens,
    providerIdToken: '',
  };
}
