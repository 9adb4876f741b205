import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { isCode, tryCode, useLink, useUp } from './challenges.ts';
import { type AccountRow, addAccount } from './create.ts';
import { removeIdentities, takeHandover } from './identities.ts';
import { endSessions, type SessionOrigin, type SignedIn, signInTo } from './sessions.ts';
import { accounts } from './tables.ts';
import { revokeEmailChanges, revokeTokens } from './tokens.ts';
import type { Visit } from './visit.ts';

/** Signing in as who reads an email or a phone: to the account that has it, or to a new one. */

/** Signs in to the account of an email that its reader just proved to be theirs, or makes it if there is none. */
export async function signInByEmail(
  transaction: Transaction,
  { email, reference }: { email: string | null; reference: string },
  visit: Visit,
  origin: SessionOrigin,
): Promise<SignedIn> {
  if (email === null) throw new Problem('user_invalid_token');
  const [existing] = await transaction.select().from(accounts).where(eq(accounts.email, email)).for('update');
  if (existing?.emailVerifiedAt === null) {
    const passwordHash = await claimAccount(transaction, existing.id);
    return signInTo(transaction, { ...existing, passwordHash }, visit, origin);
  }
  const account = existing ?? (await addConfirmed(transaction, reference, email, visit));
  return signInTo(transaction, account, visit, origin);
}

async function addConfirmed(
  transaction: Transaction,
  reference: string,
  email: string,
  visit: Visit,
): Promise<AccountRow> {
  const isTaken = (await transaction.$count(accounts, eq(accounts.id, reference))) > 0;
  const { account } = await addAccount(
    transaction,
    { ...(isTaken ? {} : { id: reference }), email, emailVerified: true, passwordHash: '' },
    visit,
  );
  return account;
}

/**
 * Gives an account whose email was never confirmed to who reads its mail. Whoever made it may be somebody else: their
 * password, identities, sessions, phone number and open links are void. Answers the password hash that stands now.
 */
async function claimAccount(transaction: Transaction, accountId: string): Promise<string> {
  await transaction
    .update(accounts)
    .set({
      emailVerifiedAt: sql`now()`,
      passwordHash: '',
      phone: null,
      phoneVerifiedAt: null,
      updatedAt: sql`now()`,
    })
    .where(eq(accounts.id, accountId));
  await endSessions(transaction, accountId);
  await revokeTokens(transaction, accountId, 'verification');
  await revokeTokens(transaction, accountId, 'recovery');
  await revokeEmailChanges(transaction, accountId);
  await removeIdentities(transaction, accountId);
  return '';
}

/**
 * Signs in to the account that confirmed a phone, or makes it if none did; one that only named the phone loses it.
 * @throws Problem `user_blocked`
 */
export async function signInByPhone(
  transaction: Transaction,
  { phone, reference }: { phone: string | null; reference: string },
  visit: Visit,
): Promise<SignedIn> {
  if (phone === null) throw new Problem('user_invalid_token');
  const [existing] = await transaction
    .select()
    .from(accounts)
    .where(and(eq(accounts.phone, phone), isNotNull(accounts.phoneVerifiedAt)));
  if (existing) return signInTo(transaction, existing, visit, { provider: 'phone' });
  await transaction.update(accounts).set({ phone: null }).where(eq(accounts.phone, phone));
  const isTaken = (await transaction.$count(accounts, eq(accounts.id, reference))) > 0;
  const newAccount = { ...(isTaken ? {} : { id: reference }), email: null, passwordHash: '' };
  const { account } = await addAccount(transaction, newAccount, visit);
  await transaction
    .update(accounts)
    .set({ phone, phoneVerifiedAt: sql`now()` })
    .where(eq(accounts.id, account.id));
  return signInTo(transaction, account, visit, { provider: 'phone' });
}

/**
 * Signs in by any secret: of a mailed link, the code of a mail or a text, or the handover of an OAuth2 sign-in.
 * Announce it with `viewerChanged`.
 * @throws Problem `user_invalid_token` | `user_blocked`
 */
export async function confirmSecret(
  context: Pick<Platform, 'database' | 'sealer'>,
  form: { userId: string; secret: string },
  visit: Visit,
): Promise<SignedIn> {
  if (!isCode(form.secret)) {
    return context.database.transaction(
      async (transaction) =>
        (await takeHandover(transaction, form, visit)) ??
        signInByEmail(transaction, await useLink(transaction, form), visit, { provider: 'magic-url' }),
    );
  }
  const challenge = await tryCode(context, ['email-code', 'phone'], form);
  return context.database.transaction(async (transaction) => {
    await useUp(transaction, challenge.id);
    return challenge.kind === 'phone'
      ? signInByPhone(transaction, challenge, visit)
      : signInByEmail(transaction, challenge, visit, { provider: 'token' });
  });
}
