import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { AccountRow } from './create.ts';
import { accounts } from './tables.ts';

/** An account by its id. */
export async function findAccount(database: Database, id: string): Promise<AccountRow | undefined> {
  const [row] = await database.select().from(accounts).where(eq(accounts.id, id));
  return row;
}
