import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { RateLimit } from '../../platform/http/rate-limits.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { recordEvent, type Visit } from './events.ts';
import { mailToken } from './mails.ts';
import { hashPassword, refuseCommon } from './password.ts';
import { issueToken, revokeEmailChanges, revokeTokens, type TokenRow, useToken } from './secrets.ts';
import { endSessions } from './sessions.ts';
import { accounts, identities } from './tables.ts';

export interface RecoveryRequest {
  email: string;
  /** Already checked. */
  url: string;
  visit: Visit;
}

/** Asks for a recovery mail. The account is looked up by a job, so that neither the reply nor its time reveals it. */
export async function requestRecovery(database: Database, request: RecoveryRequest): Promise<void> {
  await tasks.mailRecovery.enqueue(database, request);
}

/** Mails the link to set a new password, if an open account has this email; as often as `perAccount` allows. */
export async function mailRecovery(
  { database, sealer }: Pick<Platform, 'database' | 'sealer'>,
  { email, url, visit }: RecoveryRequest,
  perAccount: RateLimit,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const [account] = await transaction
      .select({ id: accounts.id, name: accounts.name })
      .from(accounts)
      .where(and(eq(accounts.email, email), isNull(accounts.blockedAt)));
    if (account === undefined || !(await perAccount.allows(account.id))) return;
    const issued = await issueToken(transaction, account.id, 'recovery');
    await mailToken(transaction, sealer, { ...account, email }, issued, url);
    await recordEvent(transaction, account.id, 'recovery.create', visit);
  });
}

interface NewPassword {
  userId: string;
  secret: string;
  password: string;
  passwordAgain?: string;
}

/**
 * Sets a new password by a mailed secret and ends every session; the mail having arrived, the email is confirmed
 * too. Announce it with `viewerChanged`.
 * @throws Problem `user_password_mismatch` | `user_password_common` | `user_invalid_token`
 */
export async function confirmRecovery(
  database: Database,
  { password, passwordAgain, ...secret }: NewPassword,
  visit: Visit,
): Promise<TokenRow> {
  if (passwordAgain !== undefined && passwordAgain !== password) throw new Problem('user_password_mismatch');
  refuseCommon(password);
  const passwordHash = await hashPassword(password);
  return database.transaction(async (transaction) => {
    const token = await useToken(transaction, 'recovery', secret);
    if (token === undefined) throw new Problem('user_invalid_token');
    // Somebody else may have made an unconfirmed account: it passes to the reader of its mail, without identities.
    await transaction.execute(sql`
      delete from ${identities} using ${accounts}
      where ${accounts.id} = ${identities.accountId} and ${accounts.id} = ${token.accountId}
        and ${accounts.emailVerifiedAt} is null`);
    await transaction
      .update(accounts)
      .set({
        passwordHash,
        passwordUpdatedAt: sql`now()`,
        updatedAt: sql`now()`,
        emailVerifiedAt: sql`coalesce(${accounts.emailVerifiedAt}, now())`,
      })
      .where(eq(accounts.id, token.accountId));
    await endSessions(transaction, token.accountId);
    await revokeTokens(transaction, token.accountId, 'recovery');
    await revokeEmailChanges(transaction, token.accountId);
    await recordEvent(transaction, token.accountId, 'recovery.update', visit);
    return token;
  });
}
