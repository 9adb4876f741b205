import { nowMs } from '@tara/contract/clock';
import type { OAuthProviderName } from '@tara/contract/wire/oauth2';
import { and, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod';
import { afterCommit, type Database, type Transaction } from '../../platform/database/connect.ts';
import { addressKey, wideAddressKey } from '../../platform/http/client-address.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import { MemoryCache } from '../../platform/memory-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import type { Sealer } from '../../platform/seal.ts';
import { notify } from '../notifications/index.ts';
import { recordEvent, type Visit } from './events.ts';
import { type AccountLimits, guess } from './limits.ts';
import { isOpenAccount, requireOpen } from './open-account.ts';
import { lockAccounts } from './own-account.ts';
import { isPassword } from './password.ts';
import { accountEvents, accounts, sessions } from './tables.ts';
import { clientName } from './user-agent.ts';

/** A browser that signed in before. Guesses that others make do not slow it down for its accounts. */
export interface Device {
  id: string;
  /** The accounts that signed in on it, latest first, each with the time of its last sign-in (ms). */
  signIns: { accountId: string; at: number }[];
}

const devicePurpose = 'device';
/** Browsers forget a cookie after 400 days. */
const deviceLifetimeMs = 400 * 24 * 3600_000;
const maxAccounts = 5;

const SealedDevice = z.object({
  id: z.string(),
  signIns: z.optional(z.array(z.object({ accountId: z.string(), at: z.number() }))),
  /** Tokens of before each sign-in had its time. */
  accountIds: z.optional(z.array(z.string())),
  until: z.number(),
});

/** Reads a device token; null when it is not one of ours, or too old. */
export function readDevice(sealer: Sealer, token: string | null): Device | null {
  const read = SealedDevice.safeParse(token === null ? undefined : sealer.open(devicePurpose, token));
  if (!read.success || read.data.until <= nowMs()) return null;
  const { id, until, accountIds = [], signIns } = read.data;
  const at = until - deviceLifetimeMs;
  return { id, signIns: signIns ?? accountIds.map((accountId) => ({ accountId, at })) };
}

/** The token of a device that now knows `accountId` too. It signs nobody in. */
export function deviceToken(
  sealer: Sealer,
  device: Device | null,
  accountId: string,
): { token: string; expiresAt: Date } {
  const others = (device?.signIns ?? []).filter((signIn) => signIn.accountId !== accountId);
  const at = nowMs();
  const until = at + deviceLifetimeMs;
  const signIns = [{ accountId, at }, ...others].slice(0, maxAccounts);
  const token = sealer.seal(devicePurpose, { id: device?.id ?? newId(), signIns, until });
  return { token, expiresAt: new Date(until) };
}

/** Whether a device signed in to the account since it belongs to its owner (`claimAccount` begins it anew). */
const knowsAccount = (device: Device, account: { id: string; createdAt: Date }) =>
  device.signIns.some(({ accountId, at }) => accountId === account.id && at >= account.createdAt.getTime());

/**
 * The device's id if it signed in before to the account that confirmed this email or phone, else null: whoever signs up with
 * another person's is a stranger to its reader. Only accounts that the device names are looked up, so the answer reveals no other.
 */
export async function knownDevice(
  database: Database,
  device: Device | null,
  receiver: { email: string } | { phone: string },
): Promise<string | null> {
  if (device === null) return null;
  const isReceiver =
    'email' in receiver
      ? and(eq(accounts.email, receiver.email), isNotNull(accounts.emailVerifiedAt))
      : and(eq(accounts.phone, receiver.phone), isNotNull(accounts.phoneVerifiedAt));
  const ids = device.signIns.map(({ accountId }) => accountId);
  const [account] = await database
    .select({ id: accounts.id, createdAt: accounts.createdAt })
    .from(accounts)
    .where(and(inArray(accounts.id, ids), isReceiver));
  return account !== undefined && knowsAccount(device, account) ? device.id : null;
}

export type SessionRow = typeof sessions.$inferSelect;

/** A session that ended, with its account's email. */
export type EndedSession = SessionRow & { email: string };

/** What a deletion returns of a session. */
const endedSession = {
  ...getTableColumns(sessions),
  email: sql<string>`coalesce((select email from accounts where accounts.id = sessions.account_id), '')`,
};

/** Hashes of the secrets of the sessions that began on this node last: who sends one of them is no stranger. */
const begunHere = new MemoryCache<string, true>({ max: 20_000 });

/** Whether a session with this secret began on this node lately. */
export const hasBegunHere = (secretHash: Buffer): boolean => begunHere.has(secretHash.toString('base64'));
/** Its session has ended: from now on the secret is one that nobody knows. */
export const forgetBegun = (secretHash: Buffer) => void begunHere.delete(secretHash.toString('base64'));

const sessionLifetimeMs = 365 * 24 * 3600_000;
/** At most so many sessions an account: the oldest goes. */
const perAccount = 10;

export interface StartedSession {
  session: SessionRow;
  secret: string;
  /** Older sessions that had to go: announce them with `announceEnded` after the commit. */
  ended: EndedSession[];
}

/** How a session began. Only `email` has shown the password; `token` began by a code of a mail. */
export interface SessionOrigin {
  provider: 'email' | 'anonymous' | 'magic-url' | 'phone' | 'token' | OAuthProviderName;
  /** The id that an OAuth2 provider has for the person. */
  providerUid?: string;
}

/**
 * Opens a session for a person who entered the password with this hash, or signed in another way; null when it was
 * changed or the account closed since. The secret is returned once and kept only hashed.
 */
export async function startSession(
  transaction: Transaction,
  account: { id: string; passwordHash: string; createdAt: Date },
  visit: Visit,
  { provider, providerUid = '' }: SessionOrigin = { provider: 'email' },
): Promise<StartedSession | null> {
  const secret = newSecret();
  const secretHash = hashSecret(secret);
  const accountId = account.id;
  // Locks the account's row, so that two sign-ins at once count each other.
  const open = await transaction
    .update(accounts)
    .set({ accessedAt: sql`now()` })
    .where(and(eq(accounts.id, accountId), eq(accounts.passwordHash, account.passwordHash), isOpenAccount))
    .returning({ id: accounts.id });
  if (open.length === 0) return null;
  const [session] = await transaction
    .insert(sessions)
    .values({
      id: newId(),
      accountId,
      secretHash,
      provider,
      providerUid,
      // Sensitive calls ask for the password, whatever else was shown.
      ...(provider === 'email' ? {} : { passwordShownAt: new Date(0) }),
      ...{ ip: visit.ip, userAgent: visit.userAgent },
      expiresAt: new Date(nowMs() + sessionLifetimeMs),
    })
    .returning();
  if (session === undefined) throw new Error('The session was not stored.');
  const ended = await transaction
    .delete(sessions)
    .where(
      sql`${sessions.id} in (
        select id from sessions where account_id = ${accountId} and id <> ${session.id}
        order by created_at desc, id desc offset ${perAccount - 1})`,
    )
    .returning(endedSession);
  await notifyNewDevice(transaction, account, visit, session.id);
  await recordEvent(transaction, accountId, 'session.create', visit);
  begunHere.set(secretHash.toString('base64'), true);
  return { session, secret, ended };
}

/** Notifies the owner of a sign-in on a device that the account did not sign in on before; not of the first sign-in of all. */
async function notifyNewDevice(
  transaction: Transaction,
  account: { id: string; createdAt: Date },
  { device, userAgent }: Visit,
  sessionId: string,
): Promise<void> {
  if (device === undefined || (device !== null && knowsAccount(device, account))) return;
  const [earlier] = await transaction
    .select({ id: accountEvents.id })
    .from(accountEvents)
    .where(
      and(
        eq(accountEvents.accountId, account.id),
        eq(accountEvents.event, 'session.create'),
        gte(accountEvents.createdAt, account.createdAt),
      ),
    )
    .limit(1);
  if (earlier === undefined) return;
  await notify(transaction, {
    event: 'signedIn',
    to: { accountId: account.id },
    occasion: sessionId,
    details: { device: clientName(userAgent) },
  });
}

/** Records that a session's holder showed the password just now. Announce it with `viewerChanged` after the commit. */
export async function showedPassword(transaction: Transaction | Database, sessionId: string): Promise<void> {
  await transaction.update(sessions).set({ passwordShownAt: sql`now()` }).where(eq(sessions.id, sessionId));
}

/** The account's open sessions, newest first. */
export function listSessions(database: Database, accountId: string): Promise<SessionRow[]> {
  return database
    .select()
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
}

/** One open session of the account, or undefined. */
export async function findSession(
  database: Database,
  accountId: string,
  id: string,
): Promise<SessionRow | undefined> {
  const [session] = await database
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId), gt(sessions.expiresAt, sql`now()`)));
  return session;
}

/** Gives one open session of the account its whole lifetime again; undefined when there is none. */
export async function extendSession(
  database: Database,
  accountId: string,
  id: string,
): Promise<SessionRow | undefined> {
  const [session] = await database
    .update(sessions)
    .set({ expiresAt: new Date(nowMs() + sessionLifetimeMs), updatedAt: sql`now()` })
    .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId), gt(sessions.expiresAt, sql`now()`)))
    .returning();
  return session;
}

/**
 * Announces ended sessions to the account's clients, those of the ended ones among them, which are closed then. Call it after
 * the commit.
 */
export function announceEnded(bus: Platform['bus'], accountId: string, ended: readonly EndedSession[]): void {
  for (const { email, secretHash: _, ...session } of ended)
    bus.publish('sessionChanged', { change: 'delete', session, email });
  // In the same turn: who hears of it finds the session ended.
  bus.publish('viewerChanged', { accountId });
}

/**
 * Ends the account's sessions that meet a condition, and all without one. Whatever ends sessions does it here, but for a sign-in
 * that leaves too many; they are announced once the transaction is committed.
 */
export async function endSessions(
  transaction: Transaction,
  bus: Platform['bus'],
  accountId: string,
  condition?: SQL,
): Promise<EndedSession[]> {
  const ended = await transaction
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), condition))
    .returning(endedSession);
  afterCommit(() => announceEnded(bus, accountId, ended));
  return ended;
}

/** Ends one session of the account; false when there is none. */
export function endSession(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  accountId: string,
  id: string,
  visit: Visit,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await lockAccounts(transaction, eq(accounts.id, accountId));
    const ended = await endSessions(transaction, bus, accountId, eq(sessions.id, id));
    if (ended.length > 0) await recordEvent(transaction, accountId, 'session.delete', visit);
    return ended.length > 0;
  });
}

export interface SignedIn extends StartedSession {
  /** The account's email, which the wire calls the provider's uid. */
  email: string;
}

/** Others may have failed with this email: its owner need not wait for them. */
function pointToMailedLink(error: unknown): never {
  if (!(error instanceof Problem) || error.type !== 'general_rate_limit_exceeded') throw error;
  const text = 'please wait a moment, or get in by a link that we mail: “Forgot your password?”';
  throw new Problem(error.type, { text, retryAfter: error.retryAfter, cause: error });
}

/**
 * Signs in. A wrong password and an unknown email answer alike, in the same time; that the account is closed is
 * shown only after the right password. Failures delay the next tries, by email and address together, and beyond the first
 * tries of a network those of other networks too; `device` is the one that signs in, if it did before: only its own
 * failures delay it.
 * @throws Problem `user_invalid_credentials` | `user_blocked` | `account_deletion_begun` | `general_rate_limit_exceeded`
 */
export async function signIn(
  database: Database,
  form: { email: string; password: string },
  visit: Visit,
  limits: AccountLimits,
  device: Device | null,
): Promise<SignedIn> {
  const [account] = await database
    .select({
      id: accounts.id,
      passwordHash: accounts.passwordHash,
      createdAt: accounts.createdAt,
      blockedAt: accounts.blockedAt,
      deletesAt: accounts.deletesAt,
    })
    .from(accounts)
    .where(eq(accounts.email, form.email));
  const isKnownDevice = account !== undefined && device !== null && knowsAccount(device, account);
  if (isKnownDevice) await limits.passwordsByAccount.check(account.id);
  else await limits.signInByAddress.check(visit.ip);
  const { byDevice, byEmailAndAddress, byEmailAndNetwork, byEmail } = limits.guesses;
  const fromNetwork = `${form.email} ${wideAddressKey(visit.ip)}`;
  const waitsForNobody =
    isKnownDevice ||
    ((await limits.firstTriesByNetwork.allows(fromNetwork)) &&
      (await limits.firstTriesByEmail.allows(form.email)));
  const { right, retryAfter } = await guess(
    isKnownDevice
      ? [[byDevice, `${device.id} ${account.id}`]]
      : [
          [byEmailAndAddress, `${form.email} ${addressKey(visit.ip)}`],
          [byEmailAndNetwork, fromNetwork],
          ...(waitsForNobody ? [] : [[byEmail, form.email] as const]),
        ],
    () =>
      isKnownDevice
        ? isPassword(form.password, account.passwordHash, { accountId: account.id })
        : // Counted in its turn, until it is right: hundreds behind one address may sign in at once.
          isPassword(form.password, account?.passwordHash, { ip: visit.ip }, () =>
            limits.signInByAddress.consume(visit.ip),
          ),
  ).catch(pointToMailedLink);
  if (account === undefined || !right) throw new Problem('user_invalid_credentials', { retryAfter });
  if (isKnownDevice) await limits.passwordsByAccount.charge(account.id, 1);
  else if (await limits.newDevicesByAccount.allows(account.id)) await limits.signInByAddress.refund(visit.ip);
  requireOpen(account);
  const started = await database.transaction((transaction) =>
    startSession(transaction, account, { ...visit, device }),
  );
  if (started === null) throw new Problem('user_invalid_credentials');
  return { ...started, email: form.email };
}

/** Opens a session. @throws Problem `user_blocked` | `account_deletion_begun` */
export async function signInTo(
  transaction: Transaction,
  account: Pick<
    typeof accounts.$inferSelect,
    'id' | 'passwordHash' | 'email' | 'blockedAt' | 'deletesAt' | 'createdAt'
  >,
  visit: Visit,
  origin: SessionOrigin,
): Promise<SignedIn> {
  requireOpen(account);
  const started = await startSession(transaction, account, visit, origin);
  if (started === null) throw new Problem('user_blocked');
  return { ...started, email: account.email ?? '' };
}
