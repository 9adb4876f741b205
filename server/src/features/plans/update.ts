import { centavos, type NewPlan, type Plan, type PlanChange, planCan } from '@tara/contract/plans';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { retryBusy } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { requireVisible } from '../visibility/index.ts';
import { replacePictures } from './pictures.ts';
import { presentPlan } from './present.ts';
import { selectPlans } from './select.ts';
import { plans } from './tables.ts';

/** What the form says of a plan, beside its photos. */
export const formColumns = (form: Omit<NewPlan, 'imageId' | 'imageIds'>) => ({
  title: form.title,
  description: form.desc,
  time: form.time,
  durationMinutes: form.durationMinutes,
  place: form.place,
  priceCentavos: centavos(form.price),
  terms: form.terms,
});

/**
 * Holds one's own plan until the commit. A request is stored with the plan's row shared, so none is under way then.
 * @throws Problem `plan_not_found`; `user_unauthorized` for another's plan, which every member may read
 */
export async function lockOwnPlan(transaction: Transaction, viewer: Viewer, id: string) {
  const [plan] = await transaction
    .select({ creatorId: plans.creatorId, imageId: plans.imageId, closedAt: plans.closedAt })
    .from(plans)
    .where(and(eq(plans.id, id), isNull(plans.removedAt)))
    .for('no key update');
  if (!plan) throw new Problem('plan_not_found');
  requireVisible(viewer, plan.creatorId, 'plan_not_found');
  const verdict = planCan.change(viewer.profileId, plan);
  if (verdict !== true) throw new Problem(verdict);
  return plan;
}

/** One's own plan as its transaction sees it. */
export async function readOwnPlan(transaction: Transaction, viewer: Viewer, id: string): Promise<Plan> {
  const [row] = await selectPlans(transaction).where(eq(plans.id, id));
  if (!row) throw new Error(`plan ${id} is not there in its own transaction`);
  return presentPlan(row, viewer);
}

/**
 * Changes one's own plan. Requests keep the title, price and terms that they were sent with.
 * @throws Problem `plan_not_found`, `user_unauthorized`, `storage_file_not_found`.
 */
export async function updatePlan(context: PlanContext, viewer: Viewer, form: PlanChange): Promise<Plan> {
  const change = async (transaction: Transaction) => {
    const before = await lockOwnPlan(transaction, viewer, form.planId);
    const own = { planId: form.planId, coverId: before.imageId };
    const imageId = await replacePictures(transaction, viewer, own, form);
    await transaction
      .update(plans)
      .set({ ...formColumns(form), imageId, editedAt: sql`now()`, updatedAt: sql`now()` })
      .where(eq(plans.id, form.planId));
    return readOwnPlan(transaction, viewer, form.planId);
  };
  const plan = await retryBusy(() => context.database.transaction(change));
  announcePlan(context, viewer, 'update', plan);
  return plan;
}

export type PlanContext = Pick<Platform, 'database' | 'bus'>;

/** Tells every member of one's own new or changed plan. */
export function announcePlan(
  { bus }: PlanContext,
  { profileId }: Viewer,
  change: 'create' | 'update',
  { id }: Pick<Plan, 'id'>,
): void {
  bus.publish('document', {
    ...{ collection: 'plans', id, change, document: { id }, audience: 'members' },
    owners: { profileIds: [profileId], authorId: null },
  });
}
