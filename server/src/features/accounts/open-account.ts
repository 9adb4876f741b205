import { nowMs } from '@tara/contract/clock';
import { and, gt, isNull, or, sql } from 'drizzle-orm';
import { Problem } from '../../platform/problem.ts';
import type { AccountRow } from './create.ts';
import { accounts } from './tables.ts';

/** Accounts that somebody may get into: not closed, and not past the 14 days after which an account is deleted. */
export const isOpenAccount = and(
  isNull(accounts.blockedAt),
  or(isNull(accounts.deletesAt), gt(accounts.deletesAt, sql`now()`)),
);

/**
 * The same for a row that was read, to say why nobody gets in.
 * @throws Problem `user_blocked` | `account_deletion_begun`
 */
export function requireOpen({ blockedAt, deletesAt }: Pick<AccountRow, 'blockedAt' | 'deletesAt'>): void {
  if (blockedAt !== null) throw new Problem('user_blocked');
  if (deletesAt !== null && deletesAt.getTime() <= nowMs()) throw new Problem('account_deletion_begun');
}
