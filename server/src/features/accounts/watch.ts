import { sql } from 'drizzle-orm';
import type { Database, Sql, Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';

const channel = 'account_changed';

/** For a command beside the server: once committed, the running server hears that the account changed. */
export async function tellServer(transaction: Database | Transaction, accountId: string): Promise<void> {
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
