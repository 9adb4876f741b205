import { type NewPlan, type Plan, planCan } from '@tara/contract/plans';
import { latestAdultBirthDate } from '@tara/contract/profiles';
import { and, eq, lt, lte, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { refuseTakenId } from '../../platform/database/constraint.ts';
import { requireConsent, type Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { profiles } from '../profiles/index.ts';
import { attachPictures, insertPhotos } from './pictures.ts';
import { plans } from './tables.ts';
import { announcePlan, formColumns, type PlanContext, readOwnPlan } from './update.ts';

/** `planCan.create` as a condition on the creator's profile, today. */
export const mayCreatePlan = () =>
  and(
    eq(profiles.verified, true),
    lte(profiles.birthDate, latestAdultBirthDate()),
    lt(profiles.totalPlan, profiles.limitedPlan),
  );

/**
 * Publishes a plan (§4, §5).
 * @throws Problem `account_consent_missing`, `plan_creator_unverified`, `plan_birth_date_missing`, `plan_under_age`, `plan_limit_reached`,
 * `storage_file_not_found` for a cover that is not the viewer's, `document_already_exists` for an `id` that is taken.
 */
export async function createPlan(
  context: PlanContext,
  viewer: Viewer,
  form: NewPlan,
  id = newId(),
): Promise<Plan> {
  requireConsent(viewer);
  const plan = await context.database.transaction(async (transaction) => {
    // The count and its limit in one statement: of two plans sent at once at the limit, one is refused (§5).
    const [counted] = await transaction
      .update(profiles)
      .set({ totalPlan: sql`${profiles.totalPlan} + 1` })
      .where(and(eq(profiles.id, viewer.profileId), mayCreatePlan()))
      .returning({ id: profiles.id });
    if (!counted) throw await creationRefusal(transaction, viewer.profileId);
    const { coverId: imageId, photoIds } = await attachPictures(transaction, viewer, form);
    const creatorId = viewer.profileId;
    await transaction
      .insert(plans)
      .values({ id, creatorId, imageId, ...formColumns(form) })
      .catch(refuseTakenId('plans_pkey'));
    await insertPhotos(transaction, id, photoIds);
    return readOwnPlan(transaction, viewer, id);
  });
  announcePlan(context, viewer, 'create', plan);
  return plan;
}

/** Why the member may publish no plan now. */
export async function creationRefusal(
  database: Pick<Database, 'select'>,
  profileId: string,
): Promise<Problem> {
  const { verified, birthDate: bDay, totalPlan, limitedPlan } = profiles;
  const [creator] = await database
    .select({ verified, bDay, totalPlan, limitedPlan })
    .from(profiles)
    .where(eq(profiles.id, profileId));
  const verdict = creator ? planCan.create(creator) : 'plan_creator_unverified';
  // `true` when the limit was raised just after the update looked: then the plan can be sent again.
  return new Problem(verdict === true ? 'plan_limit_reached' : verdict);
}
