import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { Plan } from '@tara/contract/plans';
import { and, eq } from 'drizzle-orm';
import { keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import { Problem } from '../../platform/problem.ts';
import { profiles } from '../profiles/index.ts';
import { presentPlan } from './present.ts';
import { selectPlans } from './select.ts';
import { plans } from './tables.ts';

/**
 * One member's plans, newest first, 10 a page (decisions §1).
 * @throws Problem `profile_not_found`, `general_cursor_not_found`.
 */
export async function plansByCreator(
  database: Database,
  creatorId: string,
  cursor: string | undefined,
): Promise<PageOf<Plan>> {
  const after = readCursor(cursor);
  const { where, orderBy } = keyset(plans.createdAt, plans.id, after, 'desc');
  const rows = await selectPlans(database)
    .where(and(eq(plans.creatorId, creatorId), where))
    .orderBy(...orderBy)
    .limit(pageSize.plans + 1);
  // Only an empty first page can be that of nobody.
  if (rows.length === 0 && !after) await requireProfile(database, creatorId);
  return presentPage(rows, pageSize.plans, presentPlan, (row) => ({ at: row.createdAt, id: row.id }));
}

async function requireProfile(database: Database, id: string): Promise<void> {
  const [profile] = await database.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, id));
  if (!profile) throw new Problem('profile_not_found');
}
