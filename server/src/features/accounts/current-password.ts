import { nowMs } from '@tara/contract/clock';
import { recentPasswordMs } from '@tara/contract/limits';
import { type ProblemType, problemMessage } from '@tara/contract/problems';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import type { AccountRow } from './create.ts';
import { recordEvent, type Visit } from './events.ts';
import { type AccountLimits, guess } from './limits.ts';
import { lockOwnAccount } from './own-account.ts';
import { hashPassword, isPassword, refuseCommon } from './password.ts';
import { revokeEmailChanges, revokeTokens } from './secrets.ts';
import { endSessions, showedPassword } from './sessions.ts';
import { accounts, identities, sessions } from './tables.ts';

/**
 * Checks the current password of the session's account, and returns its stored hash. Failures delay this session's next
 * tries.
 * @param refused the problem of a wrong password, and its field.
 * @throws Problem of `refused.type` | `general_rate_limit_exceeded`
 */
export async function requirePassword(
  database: Database,
  viewer: Viewer,
  password: string,
  { guesses, passwordsByAccount }: Pick<AccountLimits, 'guesses' | 'passwordsByAccount'>,
  refused: { type: ProblemType; field: string } = { type: 'user_invalid_credentials', field: 'password' },
): Promise<string> {
  await passwordsByAccount.check(viewer.accountId);
  const [account] = await database
    .select({ passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.id, viewer.accountId));
  const { right, retryAfter } = await guess([[guesses.bySession, viewer.sessionId]], () =>
    isPassword(password, account?.passwordHash, { accountId: viewer.accountId }),
  );
  if (account === undefined || !right) {
    const fields = { [refused.field]: problemMessage('user_password_wrong') };
    throw new Problem(refused.type, { fields, retryAfter });
  }
  await passwordsByAccount.charge(viewer.accountId, 1);
  return account.passwordHash;
}

/**
 * Whether the account has no password yet. After a sign-in by mail, phone or another provider the first one may be set
 * within 15 minutes; an anonymous account may set it at any time, since nothing but its session leads to it.
 * @throws Problem `user_sign_in_again`
 */
export async function lacksPassword(database: Database, viewer: Viewer): Promise<boolean> {
  const [row] = await database
    .select({
      passwordHash: accounts.passwordHash,
      hasAddress: sql<boolean>`${accounts.email} is not null or ${accounts.phoneVerifiedAt} is not null
        or exists (select from ${identities} where ${identities.accountId} = ${accounts.id})`,
      signedInAt: sessions.createdAt,
    })
    .from(accounts)
    .innerJoin(sessions, eq(sessions.accountId, accounts.id))
    .where(eq(sessions.id, viewer.sessionId));
  if (row === undefined || row.passwordHash !== '') return false;
  if (row.hasAddress && nowMs() - row.signedInAt.getTime() > recentPasswordMs)
    throw new Problem('user_sign_in_again');
  return true;
}

/**
 * Checks the password of the session's account again; the session may then make sensitive calls for 15 minutes.
 * @throws Problem `user_password_wrong` at the field | `general_rate_limit_exceeded` while failures delay this session
 */
export async function confirmPassword(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  password: string,
  visit: Visit,
  limits: Pick<AccountLimits, 'guesses' | 'passwordsByAccount'>,
): Promise<void> {
  const refused = { type: 'user_password_wrong', field: 'password' } as const;
  await requirePassword(database, viewer, password, limits, refused);
  await database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    await showedPassword(transaction, viewer.sessionId);
    await recordEvent(transaction, viewer.accountId, 'session.password.confirm', visit);
  });
  bus.publish('viewerChanged', { accountId: viewer.accountId });
}

/**
 * Sets a new password by the old one, or the first one, and ends the other sessions.
 * @throws Problem `user_invalid_credentials` | `user_password_common` | `user_sign_in_again` |
 * `general_rate_limit_exceeded`
 */
export async function changePassword(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  { password, oldPassword }: { password: string; oldPassword?: string },
  visit: Visit,
  limits: AccountLimits,
): Promise<AccountRow> {
  const refused = { type: 'user_invalid_credentials', field: 'oldPassword' } as const;
  const shown =
    oldPassword === undefined && (await lacksPassword(database, viewer))
      ? ''
      : await requirePassword(database, viewer, oldPassword ?? '', limits, refused);
  refuseCommon(password);
  const passwordHash = await hashPassword(password, { accountId: viewer.accountId });
  return database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    // A password ends the pushes of all devices but that of this session (migration 0223).
    await transaction.execute(sql`select set_config('tara.session_id', ${viewer.sessionId}, true)`);
    const [changed] = await transaction
      .update(accounts)
      .set({ passwordHash, passwordUpdatedAt: sql`now()`, updatedAt: sql`now()` })
      // With two changes at once, the second has not shown the stored password.
      .where(and(eq(accounts.id, viewer.accountId), eq(accounts.passwordHash, shown)))
      .returning();
    if (changed === undefined) throw new Problem('user_invalid_credentials');
    await endSessions(transaction, bus, viewer.accountId, ne(sessions.id, viewer.sessionId));
    await showedPassword(transaction, viewer.sessionId);
    await revokeTokens(transaction, viewer.accountId, 'recovery');
    await revokeEmailChanges(transaction, viewer.accountId);
    await recordEvent(transaction, viewer.accountId, 'user.update.password', visit);
    return changed;
  });
}
