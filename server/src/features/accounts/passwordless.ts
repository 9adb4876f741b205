import type { Database } from '../../platform/database/connect.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { codeExpiry, issueCode, type SentSecret, useLink } from './challenges.ts';
import { addAccount } from './create.ts';
import { linkWith } from './links.ts';
import { composeCodeMail, composeMail, enqueueMail } from './mails.ts';
import { type SignedIn, signInTo } from './sessions.ts';
import { challenges } from './tables.ts';
import type { Visit } from './visit.ts';
import { signInByEmail } from './ways-in.ts';

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
    why: 'Somebody, we hope you, asked to sign in to Tara with this email.',
    button: 'Sign in',
    lifetime: 'The link works once, within one hour.',
    otherwise: 'If it was not you, you can ignore this email.',
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
  form: { userId: string; secret: string },
  visit: Visit,
): Promise<SignedIn> {
  return database.transaction(async (transaction) =>
    signInByEmail(transaction, await useLink(transaction, form), visit, { provider: 'magic-url' }),
  );
}

/**
 * Mails a code that signs in to the account of an email. No account is looked up, so the reply tells of none.
 * @param mails false where this email got too many: then there is no code.
 */
export async function createEmailCode(
  context: Pick<Platform, 'database' | 'sealer'>,
  { userId, email, mails }: { userId: string | undefined; email: string; mails: boolean },
): Promise<SentSecret> {
  const sent = { reference: userId ?? newId(), expiresAt: codeExpiry() };
  if (mails) {
    await context.database.transaction(async (transaction) => {
      const code = await issueCode(context, transaction, { kind: 'email-code', email, ...sent });
      await enqueueMail(transaction, context.sealer, composeCodeMail(email, code), 10);
    });
  }
  return sent;
}
