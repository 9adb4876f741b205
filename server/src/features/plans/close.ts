import type { Plan } from '@tara/contract/plans';
import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { retryBusy } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { profiles } from '../profiles/index.ts';
import { creationRefusal, mayCreatePlan } from './create.ts';
import { planRequests, plans } from './tables.ts';
import { announcePlan, lockOwnPlan, type PlanContext, readOwnPlan } from './update.ts';

/**
 * Takes no new requests for one's own plan; open ones go on. A plan that nobody ever requested no longer counts towards
 * the limit. Repeating it changes nothing.
 * @throws Problem `plan_not_found`, `user_unauthorized`.
 */
export async function closePlan(context: PlanContext, viewer: Viewer, planId: string): Promise<Plan> {
  const close = async (transaction: Transaction) => {
    await lockProfile(transaction, viewer);
    const { closedAt } = await lockOwnPlan(transaction, viewer, planId);
    if (closedAt === null) {
      await setClosed(transaction, planId, true);
      await transaction
        .update(profiles)
        .set({ totalPlan: sql`${profiles.totalPlan} - 1` })
        .where(and(eq(profiles.id, viewer.profileId), wasNeverRequested(planId)));
    }
    return readOwnPlan(transaction, viewer, planId);
  };
  const plan = await retryBusy(() => context.database.transaction(close));
  announcePlan(context, viewer, 'update', plan);
  return plan;
}

/**
 * Takes requests for one's own plan again. One that nobody ever requested counts again, as far as the limit allows it.
 * @throws Problem `plan_not_found`, `user_unauthorized`, and those of `createPlan`.
 */
export async function reopenPlan(context: PlanContext, viewer: Viewer, planId: string): Promise<Plan> {
  const reopen = async (transaction: Transaction) => {
    await lockProfile(transaction, viewer);
    const { closedAt } = await lockOwnPlan(transaction, viewer, planId);
    if (closedAt !== null) {
      const [counted] = await transaction
        .update(profiles)
        .set({
          totalPlan: sql`${profiles.totalPlan} + case when ${wasNeverRequested(planId)} then 1 else 0 end`,
        })
        .where(
          and(
            eq(profiles.id, viewer.profileId),
            sql`(${mayCreatePlan()} or not ${wasNeverRequested(planId)})`,
          ),
        )
        .returning({ id: profiles.id });
      if (!counted) throw await creationRefusal(transaction, viewer.profileId);
      await setClosed(transaction, planId, false);
    }
    return readOwnPlan(transaction, viewer, planId);
  };
  const plan = await retryBusy(() => context.database.transaction(reopen));
  announcePlan(context, viewer, 'update', plan);
  return plan;
}

/** The member's row is locked before the plan's, as where a plan is published or confirmed. */
const lockProfile = (transaction: Transaction, { profileId }: Viewer) =>
  transaction
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(profiles.id, profileId))
    .for('no key update');

/** Closed plans get no requests, so this stays as it was when the plan was closed. */
const wasNeverRequested = (planId: string) =>
  sql`not exists (select from ${planRequests} where ${eq(planRequests.planId, planId)})`;

const setClosed = (transaction: Transaction, planId: string, isClosed: boolean) =>
  transaction
    .update(plans)
    .set({ closedAt: isClosed ? sql`now()` : null, updatedAt: sql`now()` })
    .where(eq(plans.id, planId));
