import { nowDate } from '@tara/contract/clock';
import { eq, or, sql } from 'drizzle-orm';
import { columnDefaults } from '../../platform/database/columns.ts';
import type { Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { forgetNotifications } from '../notifications/index.ts';
import { renewProfile } from '../profiles/index.ts';
import type { AccountRow } from './create.ts';
import { requireOpen } from './open-account.ts';
import {
  accountEvents,
  accounts,
  challenges,
  identities,
  secondFactors,
  sessions,
  tokens,
} from './tables.ts';

/** The email is the reader's, and whoever began the account neither made it an admin nor closed it. */
const asNew = columnDefaults(accounts, ['id', 'email', 'labels', 'blockedAt']);

/**
 * Gives an account whose email was never confirmed to the person who just proved to read its mail. Somebody else may
 * have begun it, so it begins anew: only its id and email stay. Every way by which a reader of mail takes over goes
 * through here. Announce it with `viewerChanged`.
 * @throws Problem `user_blocked` | `account_deletion_begun`
 */
export async function claimAccount(
  transaction: Transaction,
  accountId: string,
  { passwordHash = '', name = '' }: { passwordHash?: string; name?: string } = {},
): Promise<AccountRow> {
  const [before] = await transaction.select().from(accounts).where(eq(accounts.id, accountId)).for('update');
  if (before === undefined) throw new Error('The account is gone.');
  requireOpen(before);
  for (const table of [sessions, tokens, identities, secondFactors, accountEvents])
    await transaction.delete(table).where(eq(table.accountId, accountId));
  await transaction
    .delete(challenges)
    .where(
      or(
        eq(challenges.accountId, accountId),
        before.email === null ? undefined : eq(challenges.email, before.email),
        before.phone === null ? undefined : eq(challenges.phone, before.phone),
      ),
    );
  await forgetNotifications(transaction, accountId);
  const [claimed] = await transaction
    .update(accounts)
    // Later than whatever was stored before the account was locked, for which the transaction may have waited.
    .set({
      ...{ ...asNew, passwordHash, name, emailVerifiedAt: sql`now()` },
      createdAt: sql`greatest(date_trunc('milliseconds', now()), ${nowDate().toISOString()}::timestamptz)`,
    })
    .where(eq(accounts.id, accountId))
    .returning();
  if (claimed === undefined) throw new Error('The account is gone.');
  await renewProfile(transaction, accountId, name);
  await tasks.removeExports.enqueue(transaction, { accountId });
  return claimed;
}
