import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { recordEvent, type Visit } from './events.ts';
import type { AccountLimits } from './limits.ts';
import { lockAccounts } from './own-account.ts';
import { forgetUnconfirmedPhone, signInByPhone } from './passwordless.ts';
import { codeExpiry, issueCode, type SentSecret, tryCode, useUp } from './secrets.ts';
import type { SignedIn } from './sessions.ts';
import { accounts } from './tables.ts';
import { refuseTaken } from './verification.ts';

type Context = Pick<Platform, 'database' | 'sealer'>;

/** Seals texts in the job queue. */
const purpose = 'phone code';

/** Texts a code to a phone, in the transaction that stores it. */
async function textCode(
  context: Context,
  transaction: Transaction,
  challenge: Parameters<typeof issueCode>[2] & { phone: string },
): Promise<SentSecret> {
  const { code, reference } = await issueCode(context, transaction, challenge);
  const text = `${code} is your code for Tara. It works once, within 15 minutes. Tell it to nobody.`;
  const sealed = context.sealer.seal(purpose, { to: challenge.phone, text });
  await tasks.sendSms.enqueue(transaction, { sealed });
  return { reference, expiresAt: challenge.expiresAt };
}

/** Opens the text of a waiting job; undefined when another key sealed it. */
export const openSms = (sealer: Platform['sealer'], sealed: string) => sealer.open(purpose, sealed);

/**
 * Texts a code that signs in to the account of a phone. No account is looked up, so the reply reveals none.
 * @param texts false where this phone got too many: then there is no code.
 */
export async function createPhoneCode(
  context: Context,
  { userId, phone, texts }: { userId: string | undefined; phone: string; texts: boolean },
): Promise<SentSecret> {
  const sent = { reference: userId ?? newId(), expiresAt: codeExpiry() };
  if (!texts) return sent;
  return context.database.transaction((transaction) =>
    textCode(context, transaction, { kind: 'phone', phone, ...sent }),
  );
}

/**
 * Texts a code that confirms the account's phone. Whoever typed the number need not be its owner: they are counted by it.
 * @throws Problem `user_phone_not_found` | `user_phone_already_verified` | `general_rate_limit_exceeded`
 */
export function createPhoneVerification(
  context: Context,
  { accountId }: Viewer,
  { phoneVerificationsByNumber }: Pick<AccountLimits, 'phoneVerificationsByNumber'>,
): Promise<SentSecret> {
  return context.database.transaction(async (transaction) => {
    const [account] = await lockAccounts(transaction, eq(accounts.id, accountId));
    if (!account?.phone) throw new Problem('user_phone_not_found');
    if (account.phoneVerifiedAt !== null) throw new Problem('user_phone_already_verified');
    const { phone } = account;
    await phoneVerificationsByNumber.consume(phone);
    const sent = { reference: accountId, expiresAt: codeExpiry() };
    return textCode(context, transaction, { kind: 'phone-verification', accountId, phone, ...sent });
  });
}

/**
 * Signs in by the code of a text. Announce it with `viewerChanged`.
 * @throws Problem `user_invalid_token` | `user_blocked`
 */
export async function confirmPhoneCode(
  context: Context,
  form: { userId: string; secret: string },
  visit: Visit,
): Promise<SignedIn> {
  const challenge = await tryCode(context, ['phone'], form);
  return context.database.transaction(async (transaction) => {
    await useUp(transaction, challenge);
    return signInByPhone(transaction, challenge, visit);
  });
}

/**
 * Confirms the account's phone by the code of a text; accounts that merely named it lose it.
 * @throws Problem `user_invalid_token` | `user_phone_already_exists` when another account confirmed it since
 */
export async function confirmPhoneVerification(
  context: Context,
  form: { userId: string; secret: string },
  visit: Visit,
): Promise<SentSecret> {
  const challenge = await tryCode(context, ['phone-verification'], form);
  const { phone, reference, expiresAt } = challenge;
  return context.database.transaction(async (transaction) => {
    await useUp(transaction, challenge);
    const confirmed = await transaction
      .update(accounts)
      .set({ phoneVerifiedAt: sql`now()`, updatedAt: sql`now()` })
      .where(and(eq(accounts.id, reference), eq(accounts.phone, phone ?? '')))
      .returning({ id: accounts.id })
      .catch(refuseTaken('phone'));
    if (phone === null || confirmed.length === 0) throw new Problem('user_invalid_token');
    await forgetUnconfirmedPhone(transaction, phone);
    await recordEvent(transaction, reference, 'verification.update', visit);
    return { reference, expiresAt };
  });
}
