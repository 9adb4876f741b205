import { randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { hashSecret, newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { challenges } from './tables.ts';

/** Secrets that are sent to a phone or an email, and work once: codes of six digits, and links. */

/** What a reply says of a secret that was sent: the same whether or not there is an account. */
export interface SentSecret {
  /** What the reply calls the account; it is the id of the one that is made if there is none. */
  reference: string;
  expiresAt: Date;
}

type ChallengeRow = typeof challenges.$inferSelect;
type CodeKind = Exclude<ChallengeRow['kind'], 'magic-url'>;

const lifetimeMs = 15 * 60_000;
const maxTries = 5;
/** The key of the hashes: without it a code would be guessed from a copy of the database. */
const purpose = 'code';

/** When a code that is sent now expires. */
export const codeExpiry = () => new Date(Date.now() + lifetimeMs);

/** Stores a new code and answers it, for the one message that carries it. */
export async function issueCode(
  { sealer }: Pick<Platform, 'sealer'>,
  transaction: Transaction,
  challenge: Pick<ChallengeRow, 'reference' | 'expiresAt'> &
    Partial<Pick<ChallengeRow, 'accountId' | 'phone' | 'email'>> & { kind: CodeKind },
): Promise<string> {
  const id = newId();
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  const secretHash = sealer.sign(purpose, `${id} ${code}`);
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
    timingSafeEqual(row.secretHash, sealer.sign(purpose, `${row.id} ${secret}`)),
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
