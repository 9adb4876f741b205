import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import type { AccountRow } from './create.ts';
import { accounts, sessions } from './tables.ts';

/**
 * Locks the account of a session until the commit, for a change of what is the account's own. The session may have ended
 * since the request began: then the account may be somebody else's now (`claimAccount`), or its owner locked others out.
 * @throws Problem `general_unauthorized_scope`
 */
export async function lockOwnAccount(
  transaction: Transaction,
  { accountId, sessionId }: Pick<Viewer, 'accountId' | 'sessionId'>,
): Promise<AccountRow> {
  const [account] = await transaction.select().from(accounts).where(eq(accounts.id, accountId)).for('update');
  // A statement of its own, so that it sees what was committed while this one waited for the lock.
  const open = await transaction.$count(
    sessions,
    and(eq(sessions.id, sessionId), eq(sessions.accountId, accountId)),
  );
  if (account === undefined || open === 0) throw new Problem('general_unauthorized_scope');
  return account;
}
