import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { Problem } from '../../platform/problem.ts';
import type { AccountLimits } from './limits.ts';
import { isPassword } from './password.ts';
import { type StartedSession, startSession } from './sessions.ts';
import { accounts } from './tables.ts';
import type { Visit } from './visit.ts';

export interface SignedIn extends StartedSession {
  /** The account's e-mail, which the wire calls the provider's uid. */
  email: string;
}

/**
 * Signs in. A wrong password and an unknown e-mail are told, and timed, alike; a closed account is told only to who
 * knows its password.
 * @throws Problem `user_invalid_credentials` | `user_blocked` | `general_rate_limit_exceeded`
 */
export async function signIn(
  database: Database,
  form: { email: string; password: string },
  visit: Visit,
  limits: AccountLimits,
): Promise<SignedIn> {
  await limits.signInByAddress.consume(visit.ip);
  await limits.signInByEmail.consume(form.email);
  const [account] = await database
    .select({ id: accounts.id, passwordHash: accounts.passwordHash, blockedAt: accounts.blockedAt })
    .from(accounts)
    .where(eq(accounts.email, form.email));
  const right = await isPassword(form.password, account?.passwordHash);
  if (account === undefined || !right) throw new Problem('user_invalid_credentials');
  if (account.blockedAt !== null) throw new Problem('user_blocked');
  await limits.signInByEmail.clear(form.email);
  const started = await database.transaction((transaction) => startSession(transaction, account, visit));
  if (started === null) throw new Problem('user_invalid_credentials');
  return { ...started, email: form.email };
}
