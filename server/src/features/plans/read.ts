import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { Plan, PlanDetail } from '@tara/contract/plans';
import { openStages } from '@tara/contract/stages';
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { presentRating, profiles } from '../profiles/index.ts';
import { requireVisible, visibleTo } from '../visibility/index.ts';
import { isPlanCreator } from './policy.ts';
import { presentPlan } from './present.ts';
import { selectPlans } from './select.ts';
import { planRequests, plans } from './tables.ts';

/** The condition of the plans that a viewer may read (§6). */
export const planVisibleTo = (viewer: Viewer): SQL | undefined =>
  and(
    isNull(plans.removedAt),
    visibleTo(viewer, plans.creatorId),
    sql`exists (select from ${profiles} as author where author.id = ${plans.creatorId} and author.deleted_at is null)`,
  );

/** The condition of lists of plans: closed ones are in those of their creator alone. */
export const planListedFor = (viewer: Viewer): SQL | undefined =>
  and(planVisibleTo(viewer), or(isNull(plans.closedAt), eq(plans.creatorId, viewer.profileId)));

/**
 * One plan, with what its viewer may do with it.
 * @throws Problem `plan_not_found`.
 */
export async function planDetail(database: Database, viewer: Viewer, id: string): Promise<PlanDetail> {
  const [[row], [own]] = await Promise.all([
    selectPlans(database).where(and(eq(plans.id, id), planVisibleTo(viewer))),
    database
      .select({
        verified: profiles.verified,
        openInteractionId: sql<string | null>`(select ${planRequests.id} from ${planRequests}
          where ${planRequests.planId} = ${id} and ${planRequests.clientId} = ${viewer.profileId}
            and ${planRequests.stage} in ${[...openStages]})`,
      })
      .from(profiles)
      .where(eq(profiles.id, viewer.profileId)),
  ]);
  if (!row) throw new Problem('plan_not_found');
  return {
    plan: presentPlan(row, viewer),
    creatorRating: presentRating(row.creatorTotals),
    isCreator: isPlanCreator(viewer, { creatorId: row.creator.id }),
    viewerVerified: own?.verified === true,
    openInteractionId: own?.openInteractionId ?? null,
  };
}

/**
 * One member's plans, newest first, 10 a page (decisions §1). Closed ones are shown to their creator alone.
 * @throws Problem `profile_not_found`, `general_cursor_not_found`.
 */
export async function plansByCreator(
  database: Database,
  viewer: Viewer,
  creatorId: string,
  cursor: string | undefined,
): Promise<PageOf<Plan>> {
  requireVisible(viewer, creatorId, 'profile_not_found');
  const after = readCursor(cursor);
  const { where, orderBy } = keyset(plans.createdAt, plans.id, after, 'desc');
  const rows = await selectPlans(database)
    .where(and(eq(plans.creatorId, creatorId), planListedFor(viewer), where))
    .orderBy(...orderBy)
    .limit(pageSize.plans + 1);
  // Only an empty first page can be that of nobody.
  if (rows.length === 0 && !after) await requireProfile(database, creatorId);
  return presentPage(
    rows,
    pageSize.plans,
    (row) => presentPlan(row, viewer),
    (row) => ({ at: row.createdAt, id: row.id }),
  );
}

async function requireProfile(database: Database, id: string): Promise<void> {
  const [profile] = await database.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, id));
  if (!profile) throw new Problem('profile_not_found');
}
