import { eq, sql } from 'drizzle-orm';
import type { Database, Sql, Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { audit } from '../audit/index.ts';
import { accounts } from './tables.ts';
import { adminLabel } from './viewers.ts';

const channel = 'account_changed';

/** For a command beside the server: once committed, the running server gets the change. */
async function notifyServer(transaction: Database | Transaction, accountId: string): Promise<void> {
  await transaction.execute(sql`select pg_notify(${channel}, ${accountId})`);
}

/** Listens for what commands beside the server change, and puts it on the bus as `viewerChanged`. */
export async function watchAccounts(
  listener: Sql,
  { bus }: Pick<Platform, 'bus'>,
): Promise<() => Promise<void>> {
  const { unlisten } = await listener.listen(channel, (accountId) =>
    bus.publish('viewerChanged', { accountId }),
  );
  return unlisten;
}

/** The actor of a command, for the audit log. */
const commandLine = { accountId: 'command-line' };

export type LabelChange = 'changed' | 'unchanged' | 'unknown';

/**
 * Makes the account of an email an admin, or no longer one (§6), writes it to the audit log, and notifies the running
 * server.
 */
export function setAdmin(database: Database, email: string, admin: boolean): Promise<LabelChange> {
  return database.transaction(async (transaction) => {
    const [account] = await transaction
      .select({ id: accounts.id, labels: accounts.labels })
      .from(accounts)
      .where(eq(accounts.email, email.trim().toLowerCase()))
      .for('update');
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

/** Emails and names of all admins. */
export function listAdmins(database: Database): Promise<{ email: string; name: string }[]> {
  return database
    .select({ email: sql<string>`coalesce(${accounts.email}, '')`, name: accounts.name })
    .from(accounts)
    .where(sql`${adminLabel} = any(${accounts.labels})`)
    .orderBy(accounts.email);
}
