import type { PlanDetail } from '@tara/contract/plans';
import { openStages } from '@tara/contract/stages';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { profiles } from '../profiles/index.ts';
import { isPlanCreator } from './policy.ts';
import { presentPlan } from './present.ts';
import { selectPlans } from './select.ts';
import { planRequests, plans } from './tables.ts';

/**
 * One plan, with what its viewer may do with it.
 * @throws Problem `plan_not_found`.
 */
export async function planDetail(database: Database, viewer: Viewer, id: string): Promise<PlanDetail> {
  const [[row], [own]] = await Promise.all([
    selectPlans(database).where(eq(plans.id, id)),
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
    plan: presentPlan(row),
    isCreator: isPlanCreator(viewer, { creatorId: row.creator.id }),
    viewerVerified: own?.verified === true,
    openInteractionId: own?.openInteractionId ?? null,
  };
}
