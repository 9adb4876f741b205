import { and, eq, gt, isNotNull, lt, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import { challenges, oauthStates, sessions, tokens } from './tables.ts';

export type TokenRow = Omit<typeof tokens.$inferSelect, 'secretHash'>;
type Kind = TokenRow['kind'];

/** A mailed secret lives one hour. */
const mailLifetimeMs = 3600_000;

const columns = {
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
    .returning(columns);
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
    .returning(columns);
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
