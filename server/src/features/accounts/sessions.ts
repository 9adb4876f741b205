import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { hashSecret, newId, newSecret } from '../../platform/ids.ts';
import { recordEvent } from './events.ts';
import { accounts, sessions } from './tables.ts';
import type { Visit } from './visit.ts';

export type SessionRow = typeof sessions.$inferSelect;

const lifetime = 365 * 24 * 3600_000;
/** At most so many sessions an account: the oldest goes. */
const perAccount = 10;

export interface StartedSession {
  session: SessionRow;
  secret: string;
  /** An older session had to go: announce it with `viewerChanged` after the commit. */
  endedOldest: boolean;
}

/**
 * Opens a session for who showed the password with this hash; null when it was changed or the account closed since.
 * The secret is returned once and kept only hashed.
 */
export async function startSession(
  transaction: Transaction,
  account: { id: string; passwordHash: string },
  visit: Visit,
): Promise<StartedSession | null> {
  const secret = newSecret();
  const accountId = account.id;
  // Locks the account's row, so that two sign-ins at once count each other.
  const open = await transaction
    .update(accounts)
    .set({ accessedAt: sql`now()` })
    .where(
      and(
        eq(accounts.id, accountId),
        eq(accounts.passwordHash, account.passwordHash),
        isNull(accounts.blockedAt),
      ),
    )
    .returning({ id: accounts.id });
  if (open.length === 0) return null;
  const [session] = await transaction
    .insert(sessions)
    .values({
      id: newId(),
      accountId,
      secretHash: hashSecret(secret),
      ...visit,
      expiresAt: new Date(Date.now() + lifetime),
    })
    .returning();
  if (session === undefined) throw new Error('The session was not stored.');
  const ended = await transaction.execute(sql`
    delete from sessions where id in (
      select id from sessions where account_id = ${accountId} and id <> ${session.id}
      order by created_at desc, id desc offset ${perAccount - 1})
    returning id`);
  await recordEvent(transaction, accountId, 'session.create', visit);
  return { session, secret, endedOldest: ended.length > 0 };
}

/** Records that a session's holder showed the password just now. Announce it with `viewerChanged` after the commit. */
export async function showedPassword(transaction: Transaction | Database, sessionId: string): Promise<void> {
  await transaction.update(sessions).set({ passwordShownAt: sql`now()` }).where(eq(sessions.id, sessionId));
}

/** The account's open sessions, newest first. */
export function listSessions(database: Database, accountId: string): Promise<SessionRow[]> {
  return database
    .select()
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
}

/** One open session of the account, or undefined. */
export async function findSession(
  database: Database,
  accountId: string,
  id: string,
): Promise<SessionRow | undefined> {
  const [session] = await database
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId), gt(sessions.expiresAt, sql`now()`)));
  return session;
}

/** Ends one session of the account; false when there is none. Announce it with `viewerChanged` after the commit. */
export function endSession(
  database: Database,
  accountId: string,
  id: string,
  visit: Visit,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const ended = await transaction
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId)))
      .returning({ id: sessions.id });
    if (ended.length === 0) return false;
    await recordEvent(transaction, accountId, 'session.delete', visit);
    return true;
  });
}

/** Ends the account's sessions but one. Announce it with `viewerChanged` after the commit. */
export async function endSessions(
  transaction: Transaction | Database,
  accountId: string,
  except?: string,
): Promise<void> {
  await transaction
    .delete(sessions)
    .where(
      and(eq(sessions.accountId, accountId), except === undefined ? undefined : ne(sessions.id, except)),
    );
}
