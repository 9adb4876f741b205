import { timingSafeEqual } from 'node:crypto';
import { nowMs } from '@tara/contract/clock';
import { drawInt } from '@tara/contract/random';
import {
  and,
  eq,
  getTableName,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { lockAccounts } from './own-account.ts';
import { accounts, challenges, oauthStates, sessions, tokens } from './tables.ts';

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
      expiresAt: new Date(nowMs() + lifetimeMs),
    })
    .returning(tokenColumns);
  if (token === undefined) throw new Error('The token was not stored.');
  return { token: { ...token, kind }, secret };
}

const isToken = (kind: Kind, { userId, secret }: { userId: string; secret: string }) =>
  and(
    eq(tokens.secretHash, hashSecret(secret)),
    eq(tokens.accountId, userId),
    eq(tokens.kind, kind),
    gt(tokens.expiresAt, sql`now()`),
  );

/**
 * Uses a mailed secret up, and locks its account; undefined when it is wrong, used or too old. Of two uses at once one
 * succeeds.
 */
export async function useToken(
  transaction: Transaction,
  kind: Kind,
  sent: { userId: string; secret: string },
): Promise<TokenRow | undefined> {
  const owner = transaction.select({ id: tokens.accountId }).from(tokens).where(isToken(kind, sent));
  await lockAccounts(transaction, inArray(accounts.id, owner));
  const [token] = await transaction.delete(tokens).where(isToken(kind, sent)).returning(tokenColumns);
  return token;
}

/** Reads a mailed secret without using it up. */
export async function findToken(
  database: Database,
  kind: Kind,
  sent: { userId: string; secret: string },
): Promise<TokenRow | undefined> {
  const [token] = await database.select(tokenColumns).from(tokens).where(isToken(kind, sent));
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

/** Most rows of one round. */
const batchSize = 500;

interface ExpiringRows {
  table: PgTable;
  id: SQLWrapper;
  expiresAt: PgColumn;
  is: (id: string) => SQL;
}

const expiring: readonly ExpiringRows[] = [
  ...[tokens, challenges, sessions].map((table) => ({
    ...{ table, id: table.id, expiresAt: table.expiresAt },
    is: (id: string) => eq(table.id, id),
  })),
  {
    table: oauthStates,
    id: sql`encode(${oauthStates.stateHash}, 'hex')`,
    expiresAt: oauthStates.expiresAt,
    is: (id) => eq(oauthStates.stateHash, Buffer.from(id, 'hex')),
  },
];

/** Removes secrets, sessions and sign-ins under way whose time is over. */
export async function removeExpired(
  database: Database,
  helpers: Pick<JobHelpers, 'log' | 'signal'>,
): Promise<void> {
  for (const { table, id, expiresAt, is } of expiring) {
    const isExpired = lt(expiresAt, sql`now()`);
    const round = () =>
      workItems(
        { database, ...helpers },
        {
          name: `accounts.cleanUp/${getTableName(table)}`,
          select: (isDue) =>
            database
              .select({ id: sql<string>`${id}` })
              .from(table)
              .where(and(isExpired, isDue(id)))
              .orderBy(expiresAt)
              .limit(batchSize),
          id: (row) => row.id,
          work: (row) => database.delete(table).where(and(is(row.id), isExpired)),
        },
      );
    while ((await round()) === batchSize);
  }
}

/** Secrets that are sent to a phone or an email, and work once: codes of six digits, and links. */

/** What a reply says of a secret that was sent: the same whether or not there is an account. */
export interface SentSecret {
  /** What the reply calls the account; it is the id of the one that is made if there is none. */
  reference: string;
  expiresAt: Date;
  /** The words that the mail shows as well; left out where none were asked for. */
  phrase?: string | undefined;
}

type ChallengeRow = typeof challenges.$inferSelect;
type CodeKind = Exclude<ChallengeRow['kind'], 'magic-url'>;

/** Codes that sign in: they are entered at the same call. */
export const signInCodes: CodeKind[] = ['email-code', 'phone'];

const codeLifetimeMs = 15 * 60_000;
const maxTries = 5;
/** The key of the hashes: without it a code would be guessed from a copy of the database. */
const codePurpose = 'code';

/** When a code that is sent now expires. */
export const codeExpiry = () => new Date(nowMs() + codeLifetimeMs);

type NewCode = Pick<ChallengeRow, 'reference' | 'expiresAt'> &
  Partial<Pick<ChallengeRow, 'accountId' | 'phone' | 'email'>> & { kind: CodeKind };

/**
 * Stores a new code and returns it, for the one message that carries it, with its reference: one reference has one open
 * code, so that a try is compared with one. A newer code to the same receiver voids the one before; another receiver
 * gets another reference than the caller chose.
 */
export async function issueCode(
  { sealer }: Pick<Platform, 'sealer'>,
  transaction: Transaction,
  challenge: NewCode,
): Promise<{ code: string; reference: string }> {
  const id = newId();
  const code = drawInt(1_000_000).toString().padStart(6, '0');
  const secretHash = sealer.sign(codePurpose, `${id} ${code}`);
  const reference = await freeReference(transaction, challenge);
  await transaction.insert(challenges).values({ ...challenge, reference, id, secretHash });
  return { code, reference };
}

/** The reference that was chosen, or another one while somebody else's code is open under it. */
async function freeReference(
  transaction: Transaction,
  { kind, reference, email = null, phone = null }: NewCode,
): Promise<string> {
  // With two codes at once under one reference, the second finds what the first stored.
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`code:${reference}`}, 0))`);
  // Those that confirm a phone are entered at a call of their own, by the account's session.
  const kinds: CodeKind[] = kind === 'phone-verification' ? [kind] : signInCodes;
  const isRival = and(eq(challenges.reference, reference), inArray(challenges.kind, kinds));
  const open = await transaction
    .select()
    .from(challenges)
    .where(and(isRival, gt(challenges.expiresAt, sql`now()`)));
  const isSame =
    kind === 'phone-verification' || open.every((row) => row.email === email && row.phone === phone);
  if (!isSame) return newId();
  await transaction.delete(challenges).where(isRival);
  return reference;
}

/** Whether a secret has the form of a code. */
export const isCode = (secret: string) => /^\d{6}$/.test(secret);

/**
 * The open challenge whose code was sent. Each try counts before it is looked at.
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

/** Locks the accounts that a challenge is about, those that merely named its phone too. Of two about one receiver the second waits. */
async function lockReceiver(
  transaction: Transaction,
  { accountId, email, phone }: Pick<ChallengeRow, 'accountId' | 'email' | 'phone'>,
): Promise<void> {
  const receiver = `receiver:${email ?? phone}`;
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${receiver}, 0))`);
  await lockAccounts(
    transaction,
    or(
      accountId === null ? undefined : eq(accounts.id, accountId),
      email === null ? undefined : eq(accounts.email, email),
      ...(phone === null
        ? []
        : // Each by its own index.
          [isNotNull(accounts.phoneVerifiedAt), isNull(accounts.phoneVerifiedAt)].map((isIndexed) =>
            and(eq(accounts.phone, phone), isIndexed),
          )),
    ),
  );
}

/**
 * Uses a challenge up, and locks the accounts that it is about. @throws Problem `user_invalid_token` for the second of two
 * uses at once
 */
export async function useUp(transaction: Transaction, challenge: ChallengeRow): Promise<void> {
  const { id } = challenge;
  await lockReceiver(transaction, challenge);
  const used = await transaction
    .delete(challenges)
    .where(eq(challenges.id, id))
    .returning({ id: challenges.id });
  if (used.length === 0) throw new Problem('user_invalid_token');
}

/** Uses the secret of a mailed link up, and locks the account of its email. @throws Problem `user_invalid_token` */
export async function useLink(
  transaction: Transaction,
  { userId, secret }: { userId: string; secret: string },
): Promise<ChallengeRow> {
  const [link] = await transaction
    .select()
    .from(challenges)
    .where(
      and(
        eq(challenges.kind, 'magic-url'),
        eq(challenges.reference, userId),
        eq(challenges.secretHash, hashSecret(secret)),
        gt(challenges.expiresAt, sql`now()`),
      ),
    );
  if (link === undefined) throw new Problem('user_invalid_token');
  await useUp(transaction, link);
  return link;
}
