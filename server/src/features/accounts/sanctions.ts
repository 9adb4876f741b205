import { and, eq, isNull, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { reportedMembers } from '../visibility/index.ts';
import { endSessions } from './sessions.ts';
import { accounts } from './tables.ts';

/** Leaves a warning for the member, shown once. */
export async function warnAccount(
  transaction: Transaction,
  accountId: string,
  warning: string,
): Promise<void> {
  await transaction.update(accounts).set({ warning }).where(eq(accounts.id, accountId));
}

/** The member has seen the warning. */
export async function dismissWarning(
  database: Database,
  { accountId }: Pick<Viewer, 'accountId'>,
): Promise<void> {
  await database.update(accounts).set({ warning: null }).where(eq(accounts.id, accountId));
}

/**
 * Suspends an account for some days from now; a longer suspension stays. Announce it with `viewerChanged` after the
 * commit. Returns until when.
 */
export async function suspendAccount(
  transaction: Transaction,
  accountId: string,
  days: number,
): Promise<Date | null> {
  const until = sql`greatest(${accounts.suspendedUntil}, now() + make_interval(days => ${days}))`;
  const [suspended] = await transaction
    .update(accounts)
    .set({ suspendedUntil: until })
    .where(eq(accounts.id, accountId))
    .returning({ until: accounts.suspendedUntil });
  return suspended?.until ?? null;
}

/** Closes an account for good and ends its sessions. */
export async function banAccount(
  transaction: Transaction,
  bus: Platform['bus'],
  accountId: string,
): Promise<void> {
  await transaction.update(accounts).set({ blockedAt: sql`now()` }).where(eq(accounts.id, accountId));
  await endSessions(transaction, bus, accountId);
}

/**
 * The condition of everything of a member that people without an account see, for a statement that joins the member's
 * account: neither suspended nor banned, not leaving, and no report about them waits for an admin (decisions §2).
 */
export const isShownOutside = (profileId: SQLWrapper): SQL | undefined =>
  and(
    isNull(accounts.blockedAt),
    isNull(accounts.deletesAt),
    or(isNull(accounts.suspendedUntil), lte(accounts.suspendedUntil, sql`now()`)),
    sql`not exists (select from ${reportedMembers} where ${reportedMembers.profileId} = ${profileId})`,
  );
