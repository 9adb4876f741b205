import { randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, isNotNull, lt, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { addAccount } from './create.ts';
import { recordEvent } from './events.ts';
import { type SentSecret, signInTo } from './passwordless.ts';
import type { SignedIn } from './sessions.ts';
import { accounts, challenges } from './tables.ts';
import type { Visit } from './visit.ts';

type Context = Pick<Platform, 'database' | 'sealer'>;
type ChallengeRow = typeof challenges.$inferSelect;

const codeLifetimeMs = 15 * 60_000;
const maxTries = 5;
/** Seals texts in the job queue, and makes the hash of a code, which alone would be guessed from a copy of the database. */
const purpose = 'phone code';

/** Texts a code of six digits to a phone. @param texts false where this phone got too many: then there is no code. */
async function sendCode(
  { sealer }: Context,
  transaction: Transaction,
  {
    phone,
    texts,
    ...challenge
  }: Pick<ChallengeRow, 'kind' | 'reference' | 'accountId'> & {
    phone: string;
    texts: boolean;
  },
): Promise<SentSecret> {
  const id = newId();
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  const expiresAt = new Date(Date.now() + codeLifetimeMs);
  if (texts) {
    const secretHash = sealer.sign(purpose, `${id} ${code}`);
    await transaction.insert(challenges).values({ ...challenge, id, phone, secretHash, expiresAt });
    const text = `${code} is your code for Tara. It works once, within 15 minutes. Tell it to nobody.`;
    await tasks.sendSms.enqueue(transaction, { sealed: sealer.seal(purpose, { to: phone, text }) });
  }
  return { reference: challenge.reference, expiresAt };
}

/** Opens the text of a waiting job; undefined when another key sealed it. */
export const openSms = (sealer: Platform['sealer'], sealed: string) => sealer.open(purpose, sealed);

/** Texts a code that signs in to the account of a phone. No account is looked up, so the reply tells of none. */
export function createPhoneCode(
  context: Context,
  { userId, phone, texts }: { userId: string | undefined; phone: string; texts: boolean },
): Promise<SentSecret> {
  const challenge = { kind: 'phone' as const, reference: userId ?? newId(), accountId: null, phone, texts };
  return context.database.transaction((transaction) => sendCode(context, transaction, challenge));
}

/**
 * Texts a code that confirms the account's phone.
 * @throws Problem `user_phone_not_found` | `user_phone_already_verified`
 */
export function createPhoneVerification(context: Context, { accountId }: Viewer): Promise<SentSecret> {
  return context.database.transaction(async (transaction) => {
    const [account] = await transaction.select().from(accounts).where(eq(accounts.id, accountId));
    if (!account?.phone) throw new Problem('user_phone_not_found');
    if (account.phoneVerifiedAt !== null) throw new Problem('user_phone_already_verified');
    const challenge = { kind: 'phone-verification' as const, reference: accountId, accountId };
    return sendCode(context, transaction, { ...challenge, phone: account.phone, texts: true });
  });
}

/** The open challenge whose code was sent. Each try counts before it is looked at. @throws Problem `user_invalid_token` */
async function tryCode(
  { database, sealer }: Context,
  kind: ChallengeRow['kind'],
  { userId, secret }: { userId: string; secret: string },
): Promise<ChallengeRow & { phone: string }> {
  const rows = await database
    .update(challenges)
    .set({ tries: sql`${challenges.tries} + 1` })
    .where(
      and(
        eq(challenges.reference, userId),
        eq(challenges.kind, kind),
        lt(challenges.tries, maxTries),
        gt(challenges.expiresAt, sql`now()`),
      ),
    )
    .returning();
  const right = rows.find((row) =>
    timingSafeEqual(row.secretHash, sealer.sign(purpose, `${row.id} ${secret}`)),
  );
  if (!right?.phone) throw new Problem('user_invalid_token');
  return { ...right, phone: right.phone };
}

/** Uses a challenge up. @throws Problem `user_invalid_token` for the second of two uses at once */
async function useUp(transaction: Transaction, id: string): Promise<void> {
  const used = await transaction
    .delete(challenges)
    .where(eq(challenges.id, id))
    .returning({ id: challenges.id });
  if (used.length === 0) throw new Problem('user_invalid_token');
}

/**
 * Signs in by the code of a text, and makes the account if no account has confirmed the phone; one that only named it
 * loses it. Announce it with `viewerChanged`.
 * @throws Problem `user_invalid_token` | `user_blocked`
 */
export async function confirmPhoneCode(
  context: Context,
  form: { userId: string; secret: string },
  visit: Visit,
): Promise<SignedIn> {
  const { id, phone, reference } = await tryCode(context, 'phone', form);
  return context.database.transaction(async (transaction) => {
    await useUp(transaction, id);
    const [existing] = await transaction
      .select()
      .from(accounts)
      .where(and(eq(accounts.phone, phone), isNotNull(accounts.phoneVerifiedAt)));
    if (existing) return signInTo(transaction, existing, visit, 'phone');
    await transaction.update(accounts).set({ phone: null }).where(eq(accounts.phone, phone));
    const isTaken = (await transaction.$count(accounts, eq(accounts.id, reference))) > 0;
    const newAccount = { ...(isTaken ? {} : { id: reference }), email: null, passwordHash: '' };
    const { account } = await addAccount(transaction, newAccount, visit);
    await transaction
      .update(accounts)
      .set({ phone, phoneVerifiedAt: sql`now()` })
      .where(eq(accounts.id, account.id));
    return signInTo(transaction, account, visit, 'phone');
  });
}

/** Confirms the account's phone by the code of a text. @throws Problem `user_invalid_token` */
export async function confirmPhoneVerification(
  context: Context,
  form: { userId: string; secret: string },
  visit: Visit,
): Promise<SentSecret> {
  const { id, phone, reference, expiresAt } = await tryCode(context, 'phone-verification', form);
  return context.database.transaction(async (transaction) => {
    await useUp(transaction, id);
    const confirmed = await transaction
      .update(accounts)
      .set({ phoneVerifiedAt: sql`now()`, updatedAt: sql`now()` })
      .where(and(eq(accounts.id, reference), eq(accounts.phone, phone)))
      .returning({ id: accounts.id });
    if (confirmed.length === 0) throw new Problem('user_invalid_token');
    await recordEvent(transaction, reference, 'verification.update', visit);
    return { reference, expiresAt };
  });
}
