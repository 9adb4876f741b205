import { nowMs } from '@tara/contract/clock';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import { composeMail } from '../../platform/mail/compose.ts';
import { enqueueMail } from '../../platform/mail/queue.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { wireTime } from '../../platform/wire-time.ts';
import { claimAccount } from './claim.ts';
import { type AccountRow, addAccount, type NewAccount } from './create.ts';
import type { Visit } from './events.ts';
import { takeHandover } from './identities.ts';
import { composeCodeMail, linkWith } from './mails.ts';
import {
  codeExpiry,
  isCode,
  issueCode,
  type SentSecret,
  signInCodes,
  tryCode,
  useLink,
  useUp,
} from './secrets.ts';
import { type SessionOrigin, type SignedIn, signInTo } from './sessions.ts';
import { accounts, challenges } from './tables.ts';

/** Ways to sign in without a password. */

/**
 * Makes an account with its profile and neither email nor password, and signs in to it. Setting both later makes it an
 * account like any other.
 */
export function startAnonymousSession(database: Database, visit: Visit): Promise<SignedIn> {
  return database.transaction(async (transaction) => {
    const { account } = await addAccount(transaction, { email: null, passwordHash: '' }, visit);
    return signInTo(transaction, account, visit, { provider: 'anonymous' });
  });
}

/** A link or a code that is mailed. */
interface MailedSecret {
  userId: string | undefined;
  email: string;
  /** False where this email got too many mails: then none is sent. */
  mails: boolean;
  /** Words that the mail shows. */
  phrase: string | undefined;
}

/** A link signs in for one hour. */
const linkLifetimeMs = 3600_000;

/**
 * Mails a link to `url` (already checked) that signs in to the account of an email. No account is looked up: neither the
 * reply nor its time reveals whether there is one.
 */
export async function createMagicUrl(
  { database, sealer }: Pick<Platform, 'database' | 'sealer'>,
  { userId, email, url, mails, phrase }: MailedSecret & { url: string },
): Promise<SentSecret> {
  const reference = userId ?? newId();
  const secret = newSecret();
  const expiresAt = new Date(nowMs() + linkLifetimeMs);
  const link = linkWith(url, { userId: reference, secret, expire: wireTime(expiresAt) });
  const mail = composeMail(email, '', link, {
    subject: 'Sign in to Tara',
    why: 'Somebody, we hope you, asked to sign in to Tara with this email.',
    button: 'Sign in',
    lifetime: 'The link works once, within one hour.',
    otherwise: 'If it was not you, you can ignore this email.',
    phrase,
  });
  await database.transaction(async (transaction) => {
    await transaction.insert(challenges).values({
      id: newId(),
      kind: 'magic-url',
      reference,
      email,
      secretHash: hashSecret(secret),
      expiresAt,
    });
    // A link that is older than its hour need not arrive.
    if (mails) await enqueueMail(transaction, sealer, mail, { maxAttempts: 10 });
  });
  return { reference, expiresAt, phrase };
}

/**
 * Signs in by the secret of a mailed link, and makes the account if the email has none. Announce it with `viewerChanged`.
 * @throws Problem `user_invalid_token` | `user_blocked` | `account_deletion_begun`
 */
export function confirmMagicUrl(
  database: Database,
  form: { userId: string; secret: string },
  visit: Visit,
): Promise<SignedIn> {
  return database.transaction(async (transaction) =>
    signInByEmail(transaction, await useLink(transaction, form), visit, { provider: 'magic-url' }),
  );
}

/**
 * Mails a code that signs in to the account of an email. No account is looked up, so the reply reveals none.
 */
export async function createEmailCode(
  context: Pick<Platform, 'database' | 'sealer'>,
  { userId, email, mails, phrase }: MailedSecret,
): Promise<SentSecret> {
  const sent = { reference: userId ?? newId(), expiresAt: codeExpiry() };
  if (!mails) return { ...sent, phrase };
  return context.database.transaction(async (transaction) => {
    const { code, reference } = await issueCode(context, transaction, { kind: 'email-code', email, ...sent });
    await enqueueMail(transaction, context.sealer, composeCodeMail(email, code, phrase), {
      maxAttempts: 10,
    });
    return { ...sent, reference, phrase };
  });
}

/** Signs in to the account of an email that its reader just proved to be theirs, or makes it if there is none. */
async function signInByEmail(
  transaction: Transaction,
  { email, reference }: { email: string | null; reference: string },
  visit: Visit,
  origin: SessionOrigin,
): Promise<SignedIn> {
  if (email === null) throw new Problem('user_invalid_token');
  const [existing] = await transaction.select().from(accounts).where(eq(accounts.email, email)).for('update');
  if (existing?.emailVerifiedAt === null) {
    return signInTo(transaction, await claimAccount(transaction, existing.id), visit, origin);
  }
  const confirmed = { email, emailVerified: true };
  const account = existing ?? (await addReferenced(transaction, reference, confirmed, visit));
  return signInTo(transaction, account, visit, origin);
}

/** Makes an account whose id is what the reply called it, unless another has that id. */
async function addReferenced(
  transaction: Transaction,
  reference: string,
  newAccount: Pick<NewAccount, 'email' | 'emailVerified'>,
  visit: Visit,
): Promise<AccountRow> {
  const isTaken = (await transaction.$count(accounts, eq(accounts.id, reference))) > 0;
  const id = isTaken ? {} : { id: reference };
  return (await addAccount(transaction, { ...id, ...newAccount, passwordHash: '' }, visit)).account;
}

/**
 * Signs in to the account that confirmed a phone, or makes it if none did; one that only named the phone loses it.
 * @throws Problem `user_blocked` | `account_deletion_begun`
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
  const account = await addReferenced(transaction, reference, { email: null }, visit);
  await transaction
    .update(accounts)
    .set({ phone, phoneVerifiedAt: sql`now()` })
    .where(eq(accounts.id, account.id));
  await forgetUnconfirmedPhone(transaction, phone);
  return signInTo(transaction, account, visit, { provider: 'phone' });
}

/** Takes a phone that somebody confirmed from the accounts that merely named it. */
export async function forgetUnconfirmedPhone(transaction: Transaction, phone: string): Promise<void> {
  await transaction
    .update(accounts)
    .set({ phone: null })
    .where(and(eq(accounts.phone, phone), isNull(accounts.phoneVerifiedAt)));
}

/**
 * Signs in by any secret: of a mailed link, the code of a mail or a text, or the handover of an OAuth2 sign-in.
 * Announce it with `viewerChanged`.
 * @throws Problem `user_invalid_token` | `user_blocked` | `account_deletion_begun`
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
  const challenge = await tryCode(context, signInCodes, form);
  return context.database.transaction(async (transaction) => {
    await useUp(transaction, challenge);
    return challenge.kind === 'phone'
      ? signInByPhone(transaction, challenge, visit)
      : signInByEmail(transaction, challenge, visit, { provider: 'token' });
  });
}
