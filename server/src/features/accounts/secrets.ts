import { randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { challenges, oauthStates, sessions, tokens } from './tables.ts';

export type TokenRow = Omit<typeof tokens.$inferSelect, 'secretHash'>;
type Kind = TokenRow['kind'];

/** A mailed secret lives one hour. */
const mailLifetimeMs = 3600_000;

const tokenColumns = {
  id: tokens.id,
  accountId: tokens.accountId,
  kind: tokens.kind,
  email: tokens.email,
  identityId: tokens.identityId,
  expiresAt: tokens.expiresAt,
  createdAt: tokens.createdAt,
};

interface TokenOptions {
  /** What a verification makes the account's email; without, it confirms the present one. */
  email?: string | null;
  /** Whose session an `oauth2` token begins. */
  identityId?: string;
  lifetimeMs?: number;
}

/** Makes a secret for a mail or a page; only its hash is stored. Earlier ones stay good until they expire. */
export async function issueToken<K extends Kind>(
  transaction: Transaction,
  accountId: string,
  kind: K,
  { email = null, identityId, lifetimeMs = mailLifetimeMs }: TokenOptions = {},
): Promise<{ token: TokenRow & { kind: K }; secret: string }> {
  const secret = newSecret();
  const [token] = await transaction
    .insert(tokens)
    .values({
      id: newId(),
      accountId,
      kind,
      email,
      identityId: identityId ?? null,
      secretHash: hashSecret(secret),
      expiresAt: new Date(Date.now() + lifetimeMs),
    })
    .returning(tokenColumns);
  if (token === undefined) throw new Error('The token was not stored.');
  return { token: { ...token, kind }, secret };
}

/** Uses a mailed secret up; undefined when it is wrong, used or too old. Of two uses at once one succeeds. */
export async function useToken(
  transaction: Transaction,
  kind: Kind,
  { userId, secret }: { userId: string; secret: string },
): Promise<TokenRow | undefined> {
  const [token] = await transaction
    .delete(tokens)
    .where(
      and(
        eq(tokens.secretHash, hashSecret(secret)),
        eq(tokens.accountId, userId),
        eq(tokens.kind, kind),
        gt(tokens.expiresAt, sql`now()`),
      ),
    )
    .returning(tokenColumns);
  return token;
}

/** Takes back the account's unused secrets of a kind. */
export async function revokeTokens(transaction: Transaction, accountId: string, kind: Kind): Promise<void> {
  await transaction.delete(tokens).where(and(eq(tokens.accountId, accountId), eq(tokens.kind, kind)));
}

/** Takes back changes of the account's email that are not confirmed yet. */
export async function revokeEmailChanges(transaction: Transaction, accountId: string): Promise<void> {
  await transaction.delete(tokens).where(and(eq(tokens.accountId, accountId), isNotNull(tokens.email)));
}

/** Removes secrets, sessions and sign-ins under way whose time is over. */
export async function removeExpired(database: Database): Promise<void> {
  await database.delete(tokens).where(lt(tokens.expiresAt, sql`now()`));
  await database.delete(challenges).where(lt(challenges.expiresAt, sql`now()`));
  await database.delete(oauthStates).where(lt(oauthStates.expiresAt, sql`now()`));
  await database.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}

/** Secrets that are sent to a phone or an email, and work once: codes of six digits, and links. */

/** What a reply says of a secret that was sent: the same whether or not there is an account. */
export interface SentSecret {
  /** What the reply calls the account; it is the id of the one that is made if there is none. */
  reference: string;
  expiresAt: Date;
}

type ChallengeRow = typeof challenges.$inferSelect;
type CodeKind = Exclude<ChallengeRow['kind'], 'magic-url'>;

const codeLifetimeMs = 15 * 60_000;
const maxTries = 5;
/** The key of the hashes: without it a code would be guessed from a copy of the database. */
const codePurpose = 'code';

/** When a code that is sent now expires. */
export const codeExpiry = () => new Date(Date.now() + codeLifetimeMs);

/** Stores a new code and returns it, for the one message that carries it. */
export async function issueCode(
  { sealer }: Pick<Platform, 'sealer'>,
  transaction: Transaction,
  challenge: Pick<ChallengeRow, 'reference' | 'expiresAt'> &
    Partial<Pick<ChallengeRow, 'accountId' | 'phone' | 'email'>> & { kind: CodeKind },
): Promise<string> {
  const id = newId();
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  const secretHash = sealer.sign(codePurpose, `${id} ${code}`);
  await transaction.insert(challenges).values({ ...challenge, id, secretHash });
  return code;
}

/** Whether a secret has the form of a code. */
export const isCode = (secret: string) => /^\d{6}$/.test(secret);

/**
 * The open challenge whose code was sent. Each try counts before it is looked at, for every code that is open under the
 * same reference.
 * @throws Problem `user_invalid_token`
 */
export async function tryCode(
  { database, sealer }: Pick<Platform, 'database' | 'sealer'>,
  kinds: CodeKind[],
  { userId, secret }: { userId: string; secret: string },
): Promise<ChallengeRow> {
  const rows = await database
    .update(challenges)
    .set({ tries: sql`${challenges.tries} + 1` })
    .where(
      and(
        eq(challenges.reference, userId),
        inArray(challenges.kind, kinds),
        lt(challenges.tries, maxTries),
        gt(challenges.expiresAt, sql`now()`),
      ),
    )
    .returning();
  const right = rows.find((row) =>
    timingSafeEqual(row.secretHash, sealer.sign(codePurpose, `${row.id} ${secret}`)),
  );
  if (right === undefined) throw new Problem('user_invalid_token');
  return right;
}

/** Uses a challenge up. @throws Problem `user_invalid_token` for the second of two uses at once */
export async function useUp(transaction: Transaction, id: string): Promise<void> {
  const used = await transaction
    .delete(challenges)
    .where(eq(challenges.id, id))
    .returning({ id: challenges.id });
  if (used.length === 0) throw new Problem('user_invalid_token');
}

/** Uses the secret of a mailed link up. @throws Problem `user_invalid_token` */
export async function useLink(
  transaction: Transaction,
  { userId, secret }: { userId: string; secret: string },
): Promise<ChallengeRow> {
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
    .returning();
  if (used === undefined) throw new Problem('user_invalid_token');
  return used;
}
