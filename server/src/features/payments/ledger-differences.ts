import { type SQL, sql } from 'drizzle-orm';
import { type Database, isConnectionLoss } from '../../platform/database/connect.ts';
import { errorReason } from '../../platform/log-errors.ts';
import { isAway, isUnreadable } from './provider.ts';
import type { LedgerDifference } from './tables.ts';

/** ms that one statement may take: it may read all of the ledger. */
const statementMs = 1_800_000;
/** Most differences of one rule that are named. */
const mostNamed = 50;

/** A difference, and the id by which the provider is asked for what it is about, where it can be. */
export type DifferenceRow = LedgerDifference & { id?: string };

/**
 * What a statement finds, the first of each rule: its rows have `rule`, `subject` and `text`. It has more time than other statements of
 * jobs. One that fails is a difference itself, so that the others are proved all the same.
 * @param most of each rule
 */
export async function findDifferences(
  database: Database,
  statement: SQL,
  most = mostNamed,
): Promise<DifferenceRow[]> {
  try {
    return await database.transaction(async (transaction) => {
      await transaction.execute(sql`select set_config('statement_timeout', ${String(statementMs)}, true)`);
      const rows = await transaction.execute<DifferenceRow & Record<string, unknown>>(sql`
        select * from (select *, row_number() over (partition by rule order by subject) as position
          from (${statement}) as every) as numbered
        where position <= ${most} order by rule, subject`);
      return rows.map(({ position: _, ...row }) => row);
    });
  } catch (error) {
    return [failureDifference(error)];
  }
}

/** The first differences of each rule, as many as are named. */
export function firstByRule(differences: readonly LedgerDifference[]): LedgerDifference[] {
  const counts = new Map<string, number>();
  return differences.filter(({ rule }) => {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    return count <= mostNamed;
  });
}

/** What could not be checked, as a difference. @throws what happened when the database or the provider is away, or asked too often: then all is checked again. */
export function failureDifference(error: unknown, subject = ''): LedgerDifference {
  if (isConnectionLoss(error) || (isAway(error) && !isUnreadable(error))) throw error;
  return { rule: 'the ledger can be checked', subject, text: `It cannot: ${errorReason(error)}` };
}
