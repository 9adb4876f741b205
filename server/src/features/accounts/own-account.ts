import { eq, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import type { AccountRow } from './create.ts';
import { accounts, sessions } from './tables.ts';

/**
 * Locks the accounts that meet a condition until the commit. Whatever writes more than one row of what is an account's, its
 * sessions, tokens, codes, identities, events or profile, locks the account before; several accounts in the order of their
 * ids. So none waits for a row of another that waits for it.
 */
export function lockAccounts(transaction: Transaction, condition: SQL | undefined): Promise<AccountRow[]> {
  return transaction.select().from(accounts).where(condition).orderBy(accounts.id).for('update');
}

/**
 * Locks the account of a session until the commit, for a change of what is the account's own. The session may have ended
 * since the request began: then the account may be somebody else's now (`claimAccount`), or its owner locked others out.
 * @throws Problem `general_unauthorized_scope`
 */
export async function lockOwnAccount(
  transaction: Transaction,
  { accountId, sessionId }: Pick<Viewer, 'accountId' | 'sessionId'>,
): Promise<AccountRow> {
  const [account] = await lockAccounts(transaction, eq(accounts.id, accountId));
  // A statement of its own, so that it sees what was committed while this one waited for the lock.
  const open = await transaction.$count(sessions, eq(sessions.id, sessionId));
  if (account === undefined || open === 0) throw new Problem('general_unauthorized_scope');
  return account;
}
