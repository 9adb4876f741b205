import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { addressKey, wideAddressKey } from '../../platform/http/client-address.ts';
import { Problem } from '../../platform/problem.ts';
import type { Device } from './devices.ts';
import { guess } from './guesses.ts';
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
 * Signs in. A wrong password and an unknown email answer alike, in the same time; a closed account shows only to who
 * knows its password. Failures slow the next tries down, by email and address together; `device` is the one that signs
 * in, if it did before: only its own failures slow it down.
 * @throws Problem `user_invalid_credentials` | `user_blocked` | `general_rate_limit_exceeded`
 */
export async function signIn(
  database: Database,
  form: { email: string; password: string },
  visit: Visit,
  limits: AccountLimits,
  device: Device | null,
): Promise<SignedIn> {
  const [account] = await database
    .select({ id: accounts.id, passwordHash: accounts.passwordHash, blockedAt: accounts.blockedAt })
    .from(accounts)
    .where(eq(accounts.email, form.email));
  const isKnownDevice = account !== undefined && device?.accountIds.includes(account.id) === true;
  if (isKnownDevice) await limits.passwordsByAccount.check(account.id);
  else await limits.signInByAddress.consume(visit.ip);
  const { byDevice, byEmailAndAddress, byEmailAndNetwork, byEmail } = limits.guesses;
  const { right, retryAfter } = await guess(
    isKnownDevice
      ? [[byDevice, `${device.id} ${account.id}`]]
      : [
          [byEmailAndAddress, `${form.email} ${addressKey(visit.ip)}`],
          [byEmailAndNetwork, `${form.email} ${wideAddressKey(visit.ip)}`],
          [byEmail, form.email],
        ],
    () => isPassword(form.password, account?.passwordHash),
  );
  if (account === undefined || !right) throw new Problem('user_invalid_credentials', { retryAfter });
  if (isKnownDevice) await limits.passwordsByAccount.charge(account.id, 1);
  if (account.blockedAt !== null) throw new Problem('user_blocked');
  const started = await database.transaction((transaction) => startSession(transaction, account, visit));
  if (started === null) throw new Problem('user_invalid_credentials');
  return { ...started, email: form.email };
}
