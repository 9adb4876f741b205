import { Email } from '@tara/contract/accounts/forms';
import { eq, sql } from 'drizzle-orm';
import type { Database, Sql, Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { audit } from '../audit/index.ts';
import { removeSecondFactor } from './second-factor.ts';
import { accounts, secondFactors } from './tables.ts';
import { adminLabel, isAdminAccount } from './viewers.ts';

const channel = 'account_changed';

/** For a command beside the server: once committed, the running server gets the change. */
async function notifyServer(transaction: Database | Transaction, accountId: string): Promise<void> {
  await transaction.execute(sql`select pg_notify(${channel}, ${accountId})`);
}

/** Listens for what commands beside the server change, as each node does, and puts it on the bus as `viewerChanged`. */
export async function watchAccounts(
  listener: Sql,
  { bus }: Pick<Platform, 'bus'>,
): Promise<() => Promise<void>> {
  const { unlisten } = await listener.listen(channel, (accountId) =>
    bus.here.publish('viewerChanged', { accountId }),
  );
  return unlisten;
}

/** The actor of a command, for the audit log. */
const commandLine = { accountId: 'command-line' };

/** The account of an email, locked. */
async function lockAccount(transaction: Transaction, email: string) {
  const [account] = await transaction
    .select({ id: accounts.id, labels: accounts.labels })
    .from(accounts)
    .where(eq(accounts.email, Email.safeParse(email).data ?? ''))
    .for('update');
  return account;
}

export type LabelChange = 'changed' | 'unchanged' | 'unknown';

/**
 * Makes the account of an email an admin, or no longer one (§6), writes it to the audit log, and notifies the running
 * server.
 */
export function setAdmin(database: Database, email: string, admin: boolean): Promise<LabelChange> {
  return database.transaction(async (transaction) => {
    const account = await lockAccount(transaction, email);
    if (account === undefined) return 'unknown';
    if (account.labels.includes(adminLabel) === admin) return 'unchanged';
    const labels = account.labels.filter((label) => label !== adminLabel);
    if (admin) labels.push(adminLabel);
    await transaction
      .update(accounts)
      .set({ labels, updatedAt: sql`now()` })
      .where(eq(accounts.id, account.id));
    await audit(transaction, commandLine, {
      action: admin ? 'admin.grant' : 'admin.revoke',
      subject: `account:${account.id}`,
      before: { labels: account.labels },
      after: { labels },
    });
    await notifyServer(transaction, account.id);
    return 'changed';
  });
}

/**
 * Removes the second factor of the account of an email, so that the next visit of an admin page sets up a new one, writes
 * it to the audit log, and notifies the running server. Every session of the account loses the rights of an admin.
 */
export function resetSecondFactor(database: Database, email: string): Promise<LabelChange> {
  return database.transaction(async (transaction) => {
    const account = await lockAccount(transaction, email);
    if (account === undefined) return 'unknown';
    if (!(await removeSecondFactor(transaction, account.id))) return 'unchanged';
    await audit(transaction, commandLine, {
      action: 'secondFactor.reset',
      subject: `account:${account.id}`,
    });
    await notifyServer(transaction, account.id);
    return 'changed';
  });
}

/** Emails and names of all admins, and whether they have a second factor. */
export function listAdmins(
  database: Database,
): Promise<{ email: string; name: string; hasSecondFactor: boolean }[]> {
  return database
    .select({
      email: sql<string>`coalesce(${accounts.email}, '')`,
      name: accounts.name,
      hasSecondFactor: sql<boolean>`${secondFactors.accountId} is not null`,
    })
    .from(accounts)
    .leftJoin(secondFactors, eq(secondFactors.accountId, accounts.id))
    .where(isAdminAccount)
    .orderBy(accounts.email);
}
