import { and, eq, sql } from 'drizzle-orm';
import type { Config } from '../../config.ts';
import { afterCommit, type Database, type Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { profiles } from '../profiles/index.ts';
import { claimAccount } from './claim.ts';
import type { AccountRow } from './create.ts';
import { recordEvent, type Visit } from './events.ts';
import { type AccountLimits, countLastLink } from './limits.ts';
import { confirmingUrl, mailToken } from './mails.ts';
import { isOpenAccount, requireOpen } from './open-account.ts';
import { hashPassword, refuseCommon } from './password.ts';
import { issueToken, revokeEmailChanges, revokeTokens, type TokenRow, useToken } from './secrets.ts';
import { endSessions } from './sessions.ts';
import { accounts } from './tables.ts';

export interface RecoveryRequest {
  email: string;
  /** Already checked. */
  url: string;
  visit: Visit;
  /** Whether it is the last mail of the day, whose link works for longer. */
  isLast?: boolean;
}

/** The last link works until strangers may have mails sent again, and that of the next day has arrived. */
const lastLinkLifetimeMs = 25 * 3600_000;

/** Asks for a recovery mail. The account is looked up by a job, so that neither the reply nor its time reveals it. */
export async function requestRecovery(
  database: Database | Transaction,
  request: RecoveryRequest,
): Promise<void> {
  await tasks.mailRecovery.enqueue(database, request);
}

/**
 * Asks for the last link of the day, which is mailed once, and only where an account has the email. It leads to our own page:
 * whoever asked for it may be a stranger, who could lead it elsewhere.
 */
export function requestLastLink(
  { config, database }: { config: Config; database: Database | Transaction },
  request: Pick<RecoveryRequest, 'email' | 'visit'>,
): Promise<void> {
  return requestRecovery(database, { ...request, url: `${config.publicUrl}/reset-password`, isLast: true });
}

/** Mails the link to set a new password, if an open account has this email, and the last link of a day once. */
export async function mailRecovery(
  { config, database, sealer, bus }: Pick<Platform, 'config' | 'database' | 'sealer' | 'bus'>,
  { email, url, visit, isLast = false }: RecoveryRequest,
  limits: Pick<AccountLimits, 'lastLinkByAccount' | 'lastLinksByEmail'>,
): Promise<void> {
  let forget: (() => Promise<void>) | undefined;
  const sending = database.transaction(async (transaction) => {
    const [account] = await transaction
      .select({
        id: accounts.id,
        name: accounts.name,
        emailVerifiedAt: accounts.emailVerifiedAt,
        username: profiles.username,
      })
      .from(accounts)
      .innerJoin(profiles, eq(profiles.accountId, accounts.id))
      .where(and(eq(accounts.email, email), isOpenAccount))
      // A change of the email that is under way comes first: the link opens the account, whatever its email is then.
      .for('update', { of: accounts });
    if (account === undefined) return null;
    const receiver = { id: account.id, name: account.name, email };
    if (!isLast) {
      const issued = await issueToken(transaction, account.id, 'recovery');
      await mailToken(transaction, sealer, receiver, issued, url);
      await recordEvent(transaction, account.id, 'recovery.create', visit);
      return issued.token;
    }
    const counted = await countLastLink(limits, receiver);
    if (!counted.isSent) return null;
    forget = counted.forget;
    const options = { lifetimeMs: lastLinkLifetimeMs };
    if (account.emailVerifiedAt === null) {
      // Who reads the mail may have begun the account, and keeps it then: the page asks.
      const issued = await issueToken(transaction, account.id, 'verification', options);
      const page = confirmingUrl(config, account.username);
      await mailToken(transaction, sealer, receiver, issued, page, 'lastConfirmation');
      await recordEvent(transaction, account.id, 'verification.create', visit);
      return issued.token;
    }
    const issued = await issueToken(transaction, account.id, 'recovery', options);
    await mailToken(transaction, sealer, receiver, issued, url, 'lastLink');
    await recordEvent(transaction, account.id, 'recovery.create', visit);
    return issued.token;
  });
  try {
    const token = await sending;
    if (token) bus.publish('tokenChanged', { kind: token.kind, change: 'create', token });
  } catch (error) {
    // Nothing was sent: the next try of the job sends it.
    await forget?.();
    throw error;
  }
}

interface NewPassword {
  userId: string;
  secret: string;
  password: string;
  passwordAgain?: string;
}

/**
 * Sets a new password by a mailed secret and ends every session. An account whose email was never confirmed passes to the reader
 * of its mail.
 * @throws Problem `user_password_mismatch` | `user_password_common` | `user_invalid_token` | `user_blocked` |
 * `account_deletion_begun`
 */
export async function confirmRecovery(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  { password, passwordAgain, ...secret }: NewPassword,
  visit: Visit,
): Promise<TokenRow> {
  if (passwordAgain !== undefined && passwordAgain !== password) throw new Problem('user_password_mismatch');
  refuseCommon(password);
  const passwordHash = await hashPassword(password, { ip: visit.ip });
  return database.transaction(async (transaction) => {
    const token = await useToken(transaction, 'recovery', secret);
    if (token === undefined) throw new Problem('user_invalid_token');
    const [account] = await transaction
      .select()
      .from(accounts)
      .where(eq(accounts.id, token.accountId))
      .for('update');
    if (account === undefined) throw new Problem('user_invalid_token');
    // Before the sockets of its sessions are closed.
    afterCommit(() => bus.publish('tokenChanged', { kind: 'recovery', change: 'update', token }));
    if (account.emailVerifiedAt === null) await claimAccount(transaction, account.id, { passwordHash });
    else await setPassword(transaction, account, passwordHash);
    await endSessions(transaction, bus, account.id);
    await recordEvent(transaction, token.accountId, 'recovery.update', visit);
    return token;
  });
}

/** Sets a new password without the one before, which voids every other way that was open. */
async function setPassword(
  transaction: Transaction,
  account: AccountRow,
  passwordHash: string,
): Promise<void> {
  requireOpen(account);
  await transaction
    .update(accounts)
    .set({ passwordHash, passwordUpdatedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(accounts.id, account.id));
  await revokeTokens(transaction, account.id, 'recovery');
  await revokeEmailChanges(transaction, account.id);
}
