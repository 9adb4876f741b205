import { allowedName } from '@tara/contract/accounts/forms';
import { nowMs } from '@tara/contract/clock';
import type { OAuthProviderName } from '@tara/contract/wire/oauth2';
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { notify } from '../notifications/index.ts';
import { claimAccount } from './claim.ts';
import { type AccountRow, addAccount } from './create.ts';
import { recordEvent, type Visit } from './events.ts';
import type { OAuthProvider, ProviderPerson } from './oauth-providers.ts';
import { requireOpen } from './open-account.ts';
import { lockAccounts } from './own-account.ts';
import { isReserved } from './reserved-names.ts';
import { issueToken, useToken } from './secrets.ts';
import { endSessions, type SignedIn, signInTo } from './sessions.ts';
import { accounts, identities, sessions } from './tables.ts';

export type IdentityRow = typeof identities.$inferSelect;

type Context = Pick<Platform, 'database'>;

/** What an answer of a provider says, and whose it is. */
export interface ProviderAnswer {
  name: OAuthProviderName;
  provider: Pick<OAuthProvider, 'issuer' | 'title'>;
  person: ProviderPerson;
}

/** A secret of a page's address is exchanged at once. */
const handoverLifetimeMs = 5 * 60_000;

/** A provider's name of a person as a member could choose it; empty where there is none, which /consent asks for. */
function usableName(text: string): string {
  const name = allowedName(text);
  return isReserved(name) ? '' : name;
}

/** The account that a new identity joins: the one with the confirmed email, one that begins anew, or a new one. */
async function accountFor(
  transaction: Transaction,
  { email, emailVerified, name }: ProviderPerson,
  sameEmail: AccountRow | undefined,
  visit: Visit,
): Promise<AccountRow> {
  if (sameEmail?.emailVerifiedAt) return sameEmail;
  if (sameEmail) return claimAccount(transaction, sameEmail.id, { name: usableName(name) });
  const isConfirmed = email !== null && emailVerified;
  const newAccount = { email, emailVerified: isConfirmed, name: usableName(name), passwordHash: '' };
  return (await addAccount(transaction, newAccount, visit)).account;
}

/**
 * The account of the person who signed in at a provider: the one that this identity belongs to; else the one with the
 * same email, if the provider confirmed it; else a new one with its profile. An account whose own email was never
 * confirmed begins anew.
 */
async function findOrAddIdentity(
  transaction: Transaction,
  { name, provider: { issuer, title }, person }: ProviderAnswer,
  visit: Visit,
): Promise<{ account: AccountRow; identity: IdentityRow }> {
  const { uid, email } = person;
  // With two answers at once for a new person, the second finds what the first made.
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`identity:${name} ${issuer} ${uid}`}, 0))`,
  );
  const isThis = and(
    eq(identities.provider, name),
    eq(identities.issuer, issuer),
    eq(identities.providerUid, uid),
  );
  const owner = transaction.select({ id: identities.accountId }).from(identities).where(isThis);
  const [owned] = await lockAccounts(transaction, inArray(accounts.id, owner));
  const [known] = await transaction
    .update(identities)
    .set({ providerEmail: email ?? '', updatedAt: sql`now()` })
    .where(isThis)
    .returning();
  if (known !== undefined) {
    if (owned === undefined) throw new Error('An identity has no account.');
    return { account: owned, identity: known };
  }
  const [sameEmail] = email
    ? await transaction.select().from(accounts).where(eq(accounts.email, email)).for('update')
    : [];
  if (sameEmail && !person.emailVerified) {
    const text = `sign in to it as usual; ${title} can be used once it confirmed the email`;
    throw new Problem('user_email_already_exists', { text });
  }
  const account = await accountFor(transaction, person, sameEmail, visit);
  const [identity] = await transaction
    .insert(identities)
    .values({
      id: newId(),
      accountId: account.id,
      provider: name,
      issuer,
      providerUid: uid,
      providerEmail: email ?? '',
    })
    .returning();
  if (identity === undefined) throw new Error('The identity was not stored.');
  await recordEvent(transaction, account.id, 'identity.create', visit);
  if (sameEmail?.emailVerifiedAt) {
    await notify(transaction, {
      event: 'identityAdded',
      to: { accountId: account.id },
      occasion: identity.id,
      details: { provider: title },
    });
  }
  return { account, identity };
}

/** Of the first sign-in by an identity no new device is reported: the account is new, or its owner is notified of the identity. */
function signInByIdentity(
  transaction: Transaction,
  account: AccountRow,
  { provider, providerUid, createdAt }: IdentityRow,
  { ip, userAgent, device }: Visit,
): Promise<SignedIn> {
  const isFirst = createdAt.getTime() > nowMs() - handoverLifetimeMs;
  const visit = isFirst || device === undefined ? { ip, userAgent } : { ip, userAgent, device };
  return signInTo(transaction, account, visit, { provider, providerUid });
}

/**
 * Signs in who signed in at a provider. Announce it with `viewerChanged`.
 * @throws Problem `user_email_already_exists` | `user_blocked` | `account_deletion_begun`
 */
export function signInByProvider(context: Context, answer: ProviderAnswer, visit: Visit): Promise<SignedIn> {
  return context.database.transaction(async (transaction) => {
    const { account, identity } = await findOrAddIdentity(transaction, answer, visit);
    return signInByIdentity(transaction, account, identity, visit);
  });
}

/**
 * Makes the secret by which a page signs in who signed in at a provider.
 * @throws Problem `user_email_already_exists` | `user_blocked` | `account_deletion_begun`
 */
export function handOverToPage(
  context: Context,
  answer: ProviderAnswer,
  visit: Visit,
): Promise<{ userId: string; secret: string }> {
  return context.database.transaction(async (transaction) => {
    const { account, identity } = await findOrAddIdentity(transaction, answer, visit);
    requireOpen(account);
    const { secret } = await issueToken(transaction, account.id, 'oauth2', {
      identityId: identity.id,
      lifetimeMs: handoverLifetimeMs,
    });
    return { userId: account.id, secret };
  });
}

/**
 * Signs in by the secret of `handOverToPage`; undefined when it is invalid, used or too old. @throws Problem
 * `user_blocked`
 */
export async function takeHandover(
  transaction: Transaction,
  form: { userId: string; secret: string },
  visit: Visit,
): Promise<SignedIn | undefined> {
  const token = await useToken(transaction, 'oauth2', form);
  if (token === undefined || token.identityId === null) return undefined;
  const [row] = await transaction
    .select()
    .from(identities)
    .innerJoin(accounts, eq(accounts.id, identities.accountId))
    .where(eq(identities.id, token.identityId));
  return row && signInByIdentity(transaction, row.accounts, row.identities, visit);
}

/** The account's identities at other providers, oldest first. */
export function listIdentities(database: Database, accountId: string): Promise<IdentityRow[]> {
  return database
    .select()
    .from(identities)
    .where(eq(identities.accountId, accountId))
    .orderBy(asc(identities.createdAt), asc(identities.id));
}

/** Whether somebody still gets into an account that just lost an identity. */
async function hasWayIn(transaction: Transaction, account: AccountRow): Promise<boolean> {
  if (account.email !== null && (account.passwordHash !== '' || account.emailVerifiedAt !== null))
    return true;
  if (account.phoneVerifiedAt !== null) return true;
  return (await transaction.$count(identities, eq(identities.accountId, account.id))) > 0;
}

/**
 * Removes an identity, and ends the sessions that it began apart from the viewer's.
 * @throws Problem `user_identity_not_found` | `user_identity_last` when nobody could get into the account any more
 */
export function deleteIdentity(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  { accountId, sessionId }: Viewer,
  id: string,
  visit: Visit,
): Promise<void> {
  return database.transaction(async (transaction) => {
    // Two removals at once see each other.
    const [account] = await transaction
      .select()
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for('update');
    const [removed] = await transaction
      .delete(identities)
      .where(and(eq(identities.id, id), eq(identities.accountId, accountId)))
      .returning();
    if (account === undefined || removed === undefined) throw new Problem('user_identity_not_found');
    if (!(await hasWayIn(transaction, account))) throw new Problem('user_identity_last');
    const isBegunByIt = and(
      eq(sessions.provider, removed.provider),
      eq(sessions.providerUid, removed.providerUid),
      ne(sessions.id, sessionId),
    );
    await endSessions(transaction, bus, accountId, isBegunByIt);
    await recordEvent(transaction, accountId, 'identity.delete', visit);
  });
}
