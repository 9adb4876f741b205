import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { type AccountRow, addAccount } from './create.ts';
import { linkWith } from './links.ts';
import { composeMail, enqueueMail } from './mails.ts';
import { endSessions, type SessionProvider, type SignedIn, startSession } from './sessions.ts';
import { accounts, challenges } from './tables.ts';
import { revokeEmailChanges, revokeTokens } from './tokens.ts';
import type { Visit } from './visit.ts';

/** Ways to sign in without a password. */

/**
 * Makes an account with its profile and neither email nor password, and signs in to it. Setting both later makes it an
 * account like any other.
 */
export function startAnonymousSession(database: Database, visit: Visit): Promise<SignedIn> {
  return database.transaction(async (transaction) => {
    const { account } = await addAccount(transaction, { email: null, passwordHash: '' }, visit);
    return signInTo(transaction, account, visit, 'anonymous');
  });
}

/** What a reply says of a secret that was sent: the same whether or not there is an account. */
export interface SentSecret {
  /** What the reply calls the account; it is the id of the one that is made if there is none. */
  reference: string;
  expiresAt: Date;
}

/** A link signs in for one hour. */
const linkLifetimeMs = 3600_000;

/**
 * Mails a link to `url` (already checked) that signs in to the account of an email. No account is looked up: neither the
 * reply nor its time tells whether there is one.
 * @param mails false where this email got too many mails: then none is sent.
 */
export async function createMagicUrl(
  { database, sealer }: Pick<Platform, 'database' | 'sealer'>,
  { userId, email, url, mails }: { userId: string | undefined; email: string; url: string; mails: boolean },
): Promise<SentSecret> {
  const reference = userId ?? newId();
  const secret = newSecret();
  const expiresAt = new Date(Date.now() + linkLifetimeMs);
  const link = linkWith(url, { userId: reference, secret, expire: expiresAt.toISOString() });
  const mail = composeMail(email, '', link, {
    subject: 'Sign in to Tara',
    why: 'Somebody, we hope you, asked to sign in to Tara with this e-mail.',
    button: 'Sign in',
    lifetime: 'The link works once, within one hour.',
    otherwise: 'If it was not you, you can ignore this mail.',
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
    if (mails) await enqueueMail(transaction, sealer, mail, 10);
  });
  return { reference, expiresAt };
}

/**
 * Signs in by the secret of a mailed link, and makes the account if the email has none. Announce it with `viewerChanged`.
 * @throws Problem `user_invalid_token` | `user_blocked`
 */
export function confirmMagicUrl(
  database: Database,
  { userId, secret }: { userId: string; secret: string },
  visit: Visit,
): Promise<SignedIn> {
  return database.transaction(async (transaction) => {
    const [used] = await transaction
      .delete(challenges)
      .where(
        and(
          eq(challenges.kind, 'magic-url'),
          eq(challenges.reference, userId),
          eq(challenges.secretHash, hashSecret(secret)),
          gt(challenges.expiresAt, sql`now()`),
        ),
      )
      .returning({ email: challenges.email });
    if (used?.email == null) throw new Problem('user_invalid_token');
    const { email } = used;
    const [existing] = await transaction
      .select()
      .from(accounts)
      .where(eq(accounts.email, email))
      .for('update');
    const account = existing ?? (await addConfirmed(transaction, userId, email, visit));
    if (existing?.emailVerifiedAt === null) {
      const passwordHash = await claimAccount(transaction, existing.id);
      return signInTo(transaction, { ...existing, passwordHash }, visit, 'magic-url');
    }
    return signInTo(transaction, account, visit, 'magic-url');
  });
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
 * password, sessions, phone number and open links are void. Answers the password hash that stands now.
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
  return '';
}

/** Opens a session. @throws Problem `user_blocked` */
export async function signInTo(
  transaction: Transaction,
  account: Pick<AccountRow, 'id' | 'passwordHash' | 'email'>,
  visit: Visit,
  provider: SessionProvider,
): Promise<SignedIn> {
  const started = await startSession(transaction, account, visit, provider);
  if (started === null) throw new Problem('user_blocked');
  return { ...started, email: account.email ?? '' };
}
