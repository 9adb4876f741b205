import { type DemoAccount, demoPortraitPath } from '@tara/contract/accounts/accounts';
import { asc, desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { StartRefused } from '../../platform/start-refused.ts';
import { profiles } from '../profiles/index.ts';
import { demoCode } from './second-factor.ts';
import { accounts, secondFactors } from './tables.ts';
import { isAdminAccount } from './viewers.ts';

/** Everyone in the demo world has this password; the sign-in page shows it. */
export const demoPassword = 'tara-demo-2026';

/** As many as the sign-in page has room for. */
const shown = 12;

/** What there is to see as the accounts that stand first, by the first part of their email. */
const captions = new Map([
  ['ana', 'Offers plans: reviews and earnings'],
  ['ben', 'Requests plans: one is paid'],
  ['tala', 'Admin: verifies and confirms'],
  ['rico', 'New here: no ID sent yet'],
]);
const firstKeys = [...captions.keys()];
/** The place of an account in the list; those without a caption stay as they are, after the others. */
const placeOf = (key: string) => (captions.has(key) ? firstKeys.indexOf(key) : firstKeys.length);

/** The accounts of the demo world, those with a caption first, then verified members, with the codes of the admins. */
export async function demoAccounts({
  database,
  sealer,
}: Pick<Platform, 'database' | 'sealer'>): Promise<DemoAccount[]> {
  const rows = await database
    .select({
      name: profiles.name,
      email: sql<string>`${accounts.email}`,
      verified: profiles.verified,
      isAdmin: isAdminAccount,
      secondFactor: secondFactors,
    })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .leftJoin(secondFactors, eq(secondFactors.accountId, accounts.id))
    .where(eq(accounts.demo, true))
    .orderBy(
      desc(isAdminAccount),
      desc(sql`${profiles.verified} is true`),
      asc(accounts.createdAt),
      asc(accounts.id),
    )
    .limit(shown);
  const keyed = rows.map((row) => ({ ...row, key: row.email.split('@')[0] ?? '' }));
  const sorted = keyed.toSorted((one, other) => placeOf(one.key) - placeOf(other.key));
  return sorted.map(({ key, name, email, verified, isAdmin, secondFactor }) => {
    const code = demoCode(sealer, secondFactor);
    const title = captions.get(key) ?? (isAdmin ? 'Admin' : verified ? 'Verified member' : 'Member');
    const about = code === null ? title : `${title} · code for admin pages: ${code}`;
    const portrait = captions.has(key) ? demoPortraitPath(key) : null;
    return { name, email, password: demoPassword, about, portrait, code };
  });
}

/** Demo accounts, whose password everyone knows, are in a production database. */
export class DemoAccountsInProduction extends StartRefused {
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
