import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import { sessions, tokens } from './tables.ts';

export type TokenRow = Omit<typeof tokens.$inferSelect, 'secretHash'>;
type Kind = TokenRow['kind'];

/** A mailed secret lives one hour. */
const lifetime = 3600_000;

const columns = {
  id: tokens.id,
  accountId: tokens.accountId,
  kind: tokens.kind,
  expiresAt: tokens.expiresAt,
  createdAt: tokens.createdAt,
};

/** Makes a secret for a mail; only its hash is stored. Earlier ones stay good until they expire. */
export async function issueToken(
  transaction: Transaction,
  accountId: string,
  kind: Kind,
): Promise<{ token: TokenRow; secret: string }> {
  const secret = newSecret();
  const [token] = await transaction
    .insert(tokens)
    .values({
      id: newId(),
      accountId,
      kind,
      secretHash: hashSecret(secret),
      expiresAt: new Date(Date.now() + lifetime),
    })
    .returning(columns);
  if (token === undefined) throw new Error('The token was not stored.');
  return { token, secret };
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

/** Removes secrets and sessions whose time is over. */
export async function removeExpired(database: Database): Promise<void> {
  await database.delete(tokens).where(lt(tokens.expiresAt, sql`now()`));
  await database.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}
