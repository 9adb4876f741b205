import { eq } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { recordEvent } from './events.ts';
import { guess } from './guesses.ts';
import type { AccountLimits } from './limits.ts';
import { isPassword } from './password.ts';
import { showedPassword } from './sessions.ts';
import { accounts } from './tables.ts';
import type { Visit } from './visit.ts';

/**
 * Takes the password again from who holds a session, which then may make sensitive calls for 15 minutes.
 * @throws Problem `user_password_wrong` at the field | `general_rate_limit_exceeded` while failures slow this session down
 */
export async function confirmPassword(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  password: string,
  visit: Visit,
  { guesses, passwordsByAccount }: Pick<AccountLimits, 'guesses' | 'passwordsByAccount'>,
): Promise<void> {
  await passwordsByAccount.check(viewer.accountId);
  const [account] = await database
    .select({ passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.id, viewer.accountId));
  const { right, retryAfter } = await guess([[guesses.bySession, viewer.sessionId]], () =>
    isPassword(password, account?.passwordHash),
  );
  if (!right) {
    const fields = { password: 'The password is not correct.' };
    throw new Problem('user_password_wrong', { fields, retryAfter });
  }
  await passwordsByAccount.charge(viewer.accountId, 1);
  await database.transaction(async (transaction) => {
    await showedPassword(transaction, viewer.sessionId);
    await recordEvent(transaction, viewer.accountId, 'session.password.confirm', visit);
  });
  bus.publish('viewerChanged', { accountId: viewer.accountId });
}
