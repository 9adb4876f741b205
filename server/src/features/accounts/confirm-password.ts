import { eq } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { recordEvent } from './events.ts';
import type { AccountLimits } from './limits.ts';
import { isPassword } from './password.ts';
import { showedPassword } from './sessions.ts';
import { accounts } from './tables.ts';
import type { Visit } from './visit.ts';

/**
 * Takes the password again from who holds a session, which then may make sensitive calls for 15 minutes.
 * @throws Problem `user_password_wrong` at the field | `general_rate_limit_exceeded` after ten failures in 15 minutes
 */
export async function confirmPassword(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  password: string,
  visit: Visit,
  limits: Pick<AccountLimits, 'passwordBySession'>,
): Promise<void> {
  await limits.passwordBySession.consume(viewer.sessionId);
  const [account] = await database
    .select({ passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.id, viewer.accountId));
  if (!(await isPassword(password, account?.passwordHash))) {
    throw new Problem('user_password_wrong', { fields: { password: 'This is not your password.' } });
  }
  await limits.passwordBySession.clear(viewer.sessionId);
  await database.transaction(async (transaction) => {
    await showedPassword(transaction, viewer.sessionId);
    await recordEvent(transaction, viewer.accountId, 'session.password.confirm', visit);
  });
  bus.publish('viewerChanged', { accountId: viewer.accountId });
}
