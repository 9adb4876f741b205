import type { OpenConfirmation } from '@tara/contract/accounts/accounts';
import { problemMessage } from '@tara/contract/problems';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { RateLimit } from '../../platform/http/rate-limits.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import type { Sealer } from '../../platform/seal.ts';
import { tasks } from '../../platform/tasks.ts';
import { notify } from '../notifications/index.ts';
import { profiles } from '../profiles/index.ts';
import { claimAccount } from './claim.ts';
import { noVisit, recordEvent, type Visit } from './events.ts';
import type { AccountLimits } from './limits.ts';
import { confirmingUrl, mailToken } from './mails.ts';
import { isOpenAccount } from './open-account.ts';
import { hashPassword, refuseCommon } from './password.ts';
import { requestLastLink } from './recovery.ts';
import { findToken, issueToken, revokeTokens, type TokenRow, useToken } from './secrets.ts';
import { accounts, tokens } from './tables.ts';

/** Mails the link that confirms the account's email, or `newEmail`, which becomes the account's then. */
export async function mailLink(
  transaction: Transaction,
  sealer: Sealer,
  account: { id: string; email: string; name: string },
  url: string,
  visit: Visit,
  newEmail?: string,
): Promise<TokenRow> {
  const issued = await issueToken(transaction, account.id, 'verification', { email: newEmail ?? null });
  await mailToken(transaction, sealer, account, issued, url);
  await recordEvent(transaction, account.id, 'verification.create', visit);
  return issued.token;
}

/**
 * Mails a link to `url` (already checked) that confirms the account's email, whose reader need not be who typed it. Where strangers
 * used up the mails of the day, the last link of it is mailed.
 * @throws Problem `user_email_already_verified` | `user_email_not_found` | `general_rate_limit_exceeded`
 */
export async function createVerification(
  { config, database, sealer }: Pick<Platform, 'config' | 'database' | 'sealer'>,
  accountId: string,
  url: string,
  visit: Visit,
  { messagesFromStrangers }: Pick<AccountLimits, 'messagesFromStrangers'>,
): Promise<TokenRow> {
  let refusal: unknown;
  const token = await database.transaction(async (transaction) => {
    const [account] = await transaction
      .select({ id: accounts.id, email: accounts.email, name: accounts.name })
      .from(accounts)
      .where(and(eq(accounts.id, accountId), isNull(accounts.emailVerifiedAt)))
      // A change of the email that is under way comes first: the link would confirm the new one.
      .for('update');
    if (account === undefined) throw new Problem('user_email_already_verified');
    const { email } = account;
    if (email === null) throw new Problem('user_email_not_found');
    try {
      await messagesFromStrangers.consume(email);
    } catch (error) {
      refusal = error;
      await requestLastLink({ config, database: transaction }, { email, visit });
      return null;
    }
    return mailLink(transaction, sealer, { ...account, email }, url, visit);
  });
  if (token === null) throw refusal;
  return token;
}

/**
 * Mails the link to our own page that confirms the account's email, unless one was mailed within the last hour: apps need
 * not ask for it. Where strangers used up the mails of the day, the last link of it takes its place. Does nothing for an account without email, or with a confirmed one.
 */
export async function mailUnaskedLink(
  { config, database, sealer }: Pick<Platform, 'config' | 'database' | 'sealer'>,
  accountId: string,
  { messagesFromStrangers }: Pick<AccountLimits, 'messagesFromStrangers'>,
  visit: Visit,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const [account] = await transaction
      .select({ id: accounts.id, email: accounts.email, name: accounts.name, username: profiles.username })
      .from(accounts)
      .innerJoin(profiles, eq(profiles.accountId, accounts.id))
      .where(and(eq(accounts.id, accountId), isNull(accounts.emailVerifiedAt), isOpenAccount))
      // As in `createVerification`.
      .for('update', { of: accounts });
    if (account === undefined || account.email === null) return;
    const { email, username } = account;
    const isRecent = gt(tokens.createdAt, sql`now() - interval '1 hour'`);
    const isLink = and(eq(tokens.accountId, accountId), eq(tokens.kind, 'verification'), isRecent);
    if ((await transaction.$count(tokens, isLink)) > 0) return;
    // Whoever typed the email need not be its reader.
    if (await messagesFromStrangers.allows(email))
      await mailLink(transaction, sealer, { ...account, email }, confirmingUrl(config, username), visit);
    else await requestLastLink({ config, database: transaction }, { email, visit });
  });
}

/**
 * Confirms the email; one that was asked for becomes the account's, and links mailed to the one before are void.
 * Announce it with `viewerChanged`.
 * @throws Problem `user_invalid_token` | `user_email_already_exists` when another account took it since
 */
export function confirmVerification(
  database: Database,
  secret: { userId: string; secret: string },
  visit: Visit,
): Promise<TokenRow> {
  return database.transaction(async (transaction) => {
    const token = await useToken(transaction, 'verification', secret);
    if (token === undefined) throw new Problem('user_invalid_token');
    const [before] = await transaction
      .select({ email: accounts.email })
      .from(accounts)
      .where(eq(accounts.id, token.accountId))
      .for('update');
    await transaction
      .update(accounts)
      .set({
        ...(token.email === null ? {} : { email: token.email }),
        emailVerifiedAt: sql`coalesce(${accounts.emailVerifiedAt}, now())`,
        updatedAt: sql`now()`,
      })
      .where(eq(accounts.id, token.accountId))
      .catch(refuseTaken('email'));
    if (token.email !== null) {
      await revokeTokens(transaction, token.accountId, 'verification');
      await revokeTokens(transaction, token.accountId, 'recovery');
      await recordEvent(transaction, token.accountId, 'user.update.email', visit);
      await notify(transaction, {
        event: 'emailChanged',
        to: { accountId: token.accountId },
        occasion: token.id,
        // Whoever changed it reads the new one.
        ...(before?.email ? { mailTo: before.email } : {}),
      });
    }
    await recordEvent(transaction, token.accountId, 'verification.update', visit);
    return token;
  });
}

/**
 * Whose email the secret of a confirmation mail would confirm. The reader may be somebody whose address another person
 * typed, so only what members see of the account is shown.
 * @throws Problem `user_invalid_token` | `user_email_already_verified`
 */
export async function readConfirmation(
  database: Database,
  sent: { userId: string; secret: string },
): Promise<OpenConfirmation> {
  const token = await findToken(database, 'verification', sent);
  if (token === undefined) throw new Problem('user_invalid_token');
  const [account] = await database
    .select({
      name: profiles.name,
      username: profiles.username,
      email: accounts.email,
      hasPassword: sql<boolean>`${accounts.passwordHash} <> ''`,
      isConfirmed: sql<boolean>`${accounts.emailVerifiedAt} is not null`,
    })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .where(eq(accounts.id, token.accountId));
  if (account === undefined) throw new Problem('user_invalid_token');
  const { hasPassword, isConfirmed, name, username } = account;
  if (isConfirmed && token.email === null) throw new Problem('user_email_already_verified');
  return {
    ...{ name, username, email: token.email ?? account.email ?? '' },
    proof: hasPassword && token.email === null ? 'password' : 'signIn',
    claimable: !isConfirmed,
  };
}

/**
 * Gives the account of an unconfirmed email to the reader of its mail, who did not sign up. Announce it with
 * `viewerChanged`.
 * @throws Problem `user_invalid_token` | `user_email_already_verified` | `user_password_common` | `user_blocked` |
 * `account_deletion_begun`
 */
export async function claimByConfirmation(
  database: Database,
  { password, ...sent }: { userId: string; secret: string; password: string },
  visit: Visit,
): Promise<void> {
  refuseCommon(password);
  const passwordHash = await hashPassword(password, { ip: visit.ip });
  await database.transaction(async (transaction) => {
    const token = await useToken(transaction, 'verification', sent);
    if (token === undefined) throw new Problem('user_invalid_token');
    const [account] = await transaction
      .select({ emailVerifiedAt: accounts.emailVerifiedAt })
      .from(accounts)
      .where(eq(accounts.id, token.accountId))
      .for('update');
    // A confirmed account is somebody's already: a link that changes its email gives nobody the account.
    if (account?.emailVerifiedAt !== null) throw new Problem('user_email_already_verified');
    await claimAccount(transaction, token.accountId, { passwordHash });
    await recordEvent(transaction, token.accountId, 'verification.update', visit);
  });
}

const takenProblems = { email: 'user_email_already_exists', phone: 'user_phone_already_exists' } as const;

/** @throws Problem `user_email_already_exists` or `user_phone_already_exists` at its field, else the error itself. */
export const refuseTaken =
  (field: 'email' | 'phone') =>
  (error: unknown): never => {
    if (!violates(error, `accounts_${field}_key`)) throw error;
    const type = takenProblems[field];
    throw new Problem(type, { fields: { [field]: problemMessage(type) }, cause: error });
  };

/** Whose confirmation is mailed again: the account of a session, or every unconfirmed account of a username. */
export type ResendTarget = { accountId: string } | { username: string };

/**
 * Asks for the confirmation link again. The accounts are looked up by a job, so that neither the reply nor its time
 * reveals whether the username is known (§5).
 */
export async function requestResend(database: Database, target: ResendTarget): Promise<void> {
  await tasks.resendConfirmation.enqueue(database, target);
}

/** Accounts of one transaction. Usernames need not be unique: thousands may be called 'User025'. */
const batchSize = 100;

/**
 * Mails the link to the unconfirmed accounts of a target. Of a username, each account is mailed as often as
 * `resendsByAccount` allows; each email counts as one that a stranger has sent to, as its reader need not have signed up.
 */
export async function resendVerification(
  { config, database, sealer }: Pick<Platform, 'config' | 'database' | 'sealer'>,
  target: ResendTarget,
  {
    resendsByAccount,
    messagesFromStrangers,
  }: Pick<AccountLimits, 'messagesFromStrangers'> & { resendsByAccount: RateLimit },
): Promise<void> {
  const isTarget =
    'accountId' in target
      ? eq(accounts.id, target.accountId)
      : sql`lower(${profiles.username}) = lower(${target.username})`;
  const mailBatch = (after: string) =>
    database.transaction(async (transaction) => {
      const rows = await transaction
        .select({
          id: accounts.id,
          email: accounts.email,
          name: accounts.name,
          username: profiles.username,
        })
        .from(accounts)
        .innerJoin(profiles, eq(profiles.accountId, accounts.id))
        .where(and(isTarget, gt(accounts.id, after), isNull(accounts.emailVerifiedAt), isOpenAccount))
        .orderBy(accounts.id)
        .limit(batchSize)
        // As in `createVerification`.
        .for('update', { of: accounts });
      for (const { email, ...account } of rows) {
        if (email === null) continue;
        if (!('accountId' in target) && !(await resendsByAccount.allows(account.id))) continue;
        const url = confirmingUrl(config, account.username);
        if (await messagesFromStrangers.allows(email))
          await mailLink(transaction, sealer, { ...account, email }, url, noVisit);
        else await requestLastLink({ config, database: transaction }, { email, visit: noVisit });
      }
      return rows;
    });
  let batch = await mailBatch('');
  while (batch.length === batchSize) batch = await mailBatch(batch.at(-1)?.id ?? '');
}
