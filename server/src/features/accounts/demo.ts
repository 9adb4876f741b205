import type { DemoAccount } from '@tara/contract/accounts';
import { asc, desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { profiles } from '../profiles/index.ts';
import { accounts } from './tables.ts';
import { adminLabel } from './viewers.ts';

/** Everyone in the demo world has this password; the sign-in page shows it. */
export const demoPassword = 'tara-demo-2026';

/** As many as the sign-in page has room for. */
const shown = 12;

/** The accounts of the demo world, admins and verified members first. */
export async function demoAccounts(database: Database): Promise<DemoAccount[]> {
  const isAdmin = sql<boolean>`${adminLabel} = any(${accounts.labels})`;
  const rows = await database
    .select({
      name: profiles.name,
      email: sql<string>`${accounts.email}`,
      verified: profiles.verified,
      isAdmin,
    })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .where(eq(accounts.demo, true))
    .orderBy(
      desc(isAdmin),
      desc(sql`${profiles.verified} is true`),
      asc(accounts.createdAt),
      asc(accounts.id),
    )
    .limit(shown);
  return rows.map(({ name, email, verified, isAdmin }) => ({
    name,
    email,
    password: demoPassword,
    about: isAdmin ? 'Admin' : verified ? 'Verified member' : 'Member',
  }));
}

/** Demo accounts, whose password everyone knows, are in a production database. */
export class DemoAccountsInProduction extends Error {
  override readonly name = 'DemoAccountsInProduction';
}

/** Call it at a start in production. @throws DemoAccountsInProduction */
export async function refuseDemoAccounts(database: Database): Promise<void> {
  const count = await database.$count(accounts, eq(accounts.demo, true));
  if (count === 0) return;
  throw new DemoAccountsInProduction(
    `This database holds ${count} demo accounts, whose password everyone knows. Start production on a database of its own (DATABASE_URL or DATA_DIR), or delete them.`,
  );
}
