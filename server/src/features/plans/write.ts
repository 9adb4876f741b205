import { latestAdultBirthDate } from '@tara/contract/members/profiles';
import { formatPesos } from '@tara/contract/notifications/facts';
import { centavos, type NewPlan, type Plan, type PlanChange } from '@tara/contract/plans/plans';
import { and, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { refuseTakenId, retryBusy } from '../../platform/database/constraint.ts';
import { requireConsent, type Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { attachFile, releaseFile } from '../files/index.ts';
import { notify } from '../notifications/index.ts';
import { profiles } from '../profiles/index.ts';
import { requireVisible } from '../visibility/index.ts';
import { planCan } from './policy.ts';
import { presentPlan } from './present.ts';
import { selectPlans } from './read.ts';
import { planPhotos, planRequests, plans } from './tables.ts';

type PlanContext = Pick<Platform, 'database' | 'bus' | 'config'>;

/** `planCan.create` as a condition on the creator's profile, today. */
export const planCreateCondition = () =>
  and(
    eq(profiles.verified, true),
    lte(profiles.birthDate, latestAdultBirthDate()),
    lt(profiles.totalPlan, profiles.limitedPlan),
  );

/**
 * Publishes a plan (§4, §5).
 * @throws Problem `account_consent_missing`, `plan_creator_unverified`, `plan_birth_date_missing`, `plan_under_age`, `plan_limit_reached`,
 * `storage_file_not_found` for a cover that is not the viewer's, `document_already_exists` for an `id` that is taken,
 * `general_argument_invalid` for a price above what one payout carries.
 */
export async function createPlan(
  context: PlanContext,
  viewer: Viewer,
  form: NewPlan,
  id = newId(),
): Promise<Plan> {
  requireConsent(viewer);
  requirePayable(context, form);
  const plan = await context.database.transaction(async (transaction) => {
    // The count and its limit in one statement: of two plans sent at once at the limit, one is refused (§5).
    const [counted] = await transaction
      .update(profiles)
      .set({ totalPlan: sql`${profiles.totalPlan} + 1` })
      .where(and(eq(profiles.id, viewer.profileId), planCreateCondition()))
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

/** Refuses a price above what one payout carries (decision 0002). @throws Problem `general_argument_invalid`. */
function requirePayable({ config }: PlanContext, { price }: Pick<NewPlan, 'price'>): void {
  if (centavos(price) <= config.payoutLimitCentavos) return;
  throw new Problem('general_argument_invalid', {
    fields: { price: `The price must be at most ${formatPesos(config.payoutLimitCentavos)}.` },
  });
}

/** Why the member may publish no plan now. */
async function creationRefusal(database: Pick<Database, 'select'>, profileId: string): Promise<Problem> {
  const { verified, birthDate: bDay, totalPlan, limitedPlan } = profiles;
  const [creator] = await database
    .select({ verified, bDay, totalPlan, limitedPlan })
    .from(profiles)
    .where(eq(profiles.id, profileId));
  const verdict = creator ? planCan.create(creator) : 'plan_creator_unverified';
  // `true` when the limit was raised just after the update looked: then the plan can be sent again.
  return new Problem(verdict === true ? 'plan_limit_reached' : verdict);
}

/** What the form says of a plan, beside its photos. */
const formColumns = (form: Omit<NewPlan, 'imageId' | 'imageIds'>) => ({
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
async function lockOwnPlan(transaction: Transaction, viewer: Viewer, id: string) {
  const [plan] = await transaction
    .select({
      creatorId: plans.creatorId,
      imageId: plans.imageId,
      closedAt: plans.closedAt,
      priceCentavos: plans.priceCentavos,
    })
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
async function readOwnPlan(transaction: Transaction, viewer: Viewer, id: string): Promise<Plan> {
  const [row] = await selectPlans(transaction).where(eq(plans.id, id));
  if (!row) throw new Error(`plan ${id} is missing in its own transaction`);
  return presentPlan(row, viewer);
}

/**
 * Changes one's own plan. Requests keep the title, price and terms that they were sent with.
 * @throws Problem `plan_not_found`, `user_unauthorized`, `storage_file_not_found`, `general_argument_invalid` for a price
 * above what one payout carries.
 */
export async function updatePlan(context: PlanContext, viewer: Viewer, form: PlanChange): Promise<Plan> {
  requirePayable(context, form);
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

/** Announces a creator's new or changed plan to every member. */
function announcePlan(
  { bus }: PlanContext,
  { profileId }: Pick<Viewer, 'profileId'>,
  change: 'create' | 'update',
  { id }: Pick<Plan, 'id'>,
): void {
  bus.publish('document', {
    ...{ collection: 'plans', id, change, document: { id }, audience: 'members' },
    owners: { profileIds: [profileId], authorId: null },
  });
}

/**
 * Takes no new requests for one's own plan; open ones go on. A plan that nobody ever requested no longer counts towards
 * the limit. Repeating it changes nothing.
 * @throws Problem `plan_not_found`, `user_unauthorized`.
 */
export async function closePlan(context: PlanContext, viewer: Viewer, planId: string): Promise<Plan> {
  const close = async (transaction: Transaction) => {
    await lockProfile(transaction, viewer);
    const { closedAt } = await lockOwnPlan(transaction, viewer, planId);
    if (closedAt === null) await closeCounted(transaction, viewer, planId);
    return readOwnPlan(transaction, viewer, planId);
  };
  const plan = await retryBusy(() => context.database.transaction(close));
  announcePlan(context, viewer, 'update', plan);
  return plan;
}

/**
 * Takes requests for one's own plan again. One that nobody ever requested counts again, as far as the limit allows it.
 * @throws Problem `plan_not_found`, `user_unauthorized`, `plan_price_above_limit`, and those of `createPlan`.
 */
export async function reopenPlan(context: PlanContext, viewer: Viewer, planId: string): Promise<Plan> {
  const reopen = async (transaction: Transaction) => {
    await lockProfile(transaction, viewer);
    const { closedAt, priceCentavos } = await lockOwnPlan(transaction, viewer, planId);
    if (closedAt !== null) {
      if (priceCentavos > context.config.payoutLimitCentavos) throw new Problem('plan_price_above_limit');
      const [counted] = await transaction
        .update(profiles)
        .set({
          totalPlan: sql`${profiles.totalPlan} + case when ${wasNeverRequested(planId)} then 1 else 0 end`,
        })
        .where(
          and(
            eq(profiles.id, viewer.profileId),
            sql`(${planCreateCondition()} or not ${wasNeverRequested(planId)})`,
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

/**
 * Closes the open plans that are dearer than one payout carries, and notifies their creators. Called at each start, because
 * the limit is a setting.
 */
export async function closePlansAboveLimit(context: PlanContext): Promise<void> {
  const { database, config } = context;
  const limit = config.payoutLimitCentavos;
  const isAbove = and(gt(plans.priceCentavos, limit), isNull(plans.closedAt), isNull(plans.removedAt));
  const { id, title, creatorId } = plans;
  for (const plan of await database.select({ id, title, creatorId }).from(plans).where(isAbove)) {
    const creator = { profileId: plan.creatorId };
    const close = async (transaction: Transaction) => {
      await lockProfile(transaction, creator);
      const still = await transaction
        .select({ id })
        .from(plans)
        .where(and(eq(id, plan.id), isAbove))
        .for('no key update');
      if (still.length === 0) return;
      await closeCounted(transaction, creator, plan.id);
      await notify(transaction, {
        ...{ event: 'planPriceAboveLimit', to: creator, recordId: plan.id, occasion: String(limit) },
        details: { title: plan.title, limit: String(limit) },
      });
    };
    await retryBusy(() => database.transaction(close));
    announcePlan(context, creator, 'update', plan);
  }
}

/** The member's row is locked before the plan's, as where a plan is published or confirmed. */
const lockProfile = (transaction: Transaction, { profileId }: Pick<Viewer, 'profileId'>) =>
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

/** Closes an open plan whose creator's row is locked. One that nobody ever requested no longer counts. */
async function closeCounted(
  transaction: Transaction,
  { profileId }: Pick<Viewer, 'profileId'>,
  planId: string,
): Promise<void> {
  await setClosed(transaction, planId, true);
  await transaction
    .update(profiles)
    .set({ totalPlan: sql`${profiles.totalPlan} - 1` })
    .where(and(eq(profiles.id, profileId), wasNeverRequested(planId)));
}

interface Pictures {
  coverId: string;
  /** In their order. */
  photoIds: string[];
}

/**
 * Puts the pictures of a plan's form to use: new ones are the viewer's unused uploads, those of `former` stay as they
 * are and are taken out of it.
 * @throws Problem `storage_file_not_found`, `general_argument_invalid` for a cover that is among the other photos
 */
async function attachPictures(
  transaction: Transaction,
  { accountId: ownerAccountId }: Viewer,
  { imageId, imageIds, title }: Pick<NewPlan, 'imageId' | 'imageIds' | 'title'>,
  former: Set<string> = new Set(),
): Promise<Pictures> {
  if (imageIds.includes(imageId)) {
    throw new Problem('general_argument_invalid', { fields: { imageIds: 'Each photo only once.' } });
  }
  const attach = async (id: string, field: string, alt?: string) => {
    if (former.delete(id)) return id;
    const upload = { id, ownerAccountId, bucket: 'images', field } as const;
    return (await attachFile(transaction, alt === undefined ? upload : { ...upload, alt })).id;
  };
  const coverId = await attach(imageId, 'imageId', title);
  const photoIds: string[] = [];
  for (const id of imageIds) photoIds.push(await attach(id, 'imageIds'));
  return { coverId, photoIds };
}

/** Stores the photos beside the cover. */
async function insertPhotos(
  transaction: Transaction,
  planId: string,
  photoIds: readonly string[],
): Promise<void> {
  const rows = photoIds.map((imageId, position) => ({ planId, position, imageId }));
  if (rows.length > 0) await transaction.insert(planPhotos).values(rows);
}

/**
 * Replaces the photos of a plan whose row the transaction holds, and gives up those that the form no longer has.
 * @param coverId its cover; null once its creator's account is deleted.
 * @returns the id of the cover now.
 */
async function replacePictures(
  transaction: Transaction,
  viewer: Viewer,
  { planId, coverId }: { planId: string; coverId: string | null },
  form: Pick<NewPlan, 'imageId' | 'imageIds' | 'title'>,
): Promise<string> {
  const before = await transaction
    .delete(planPhotos)
    .where(eq(planPhotos.planId, planId))
    .returning({ imageId: planPhotos.imageId });
  const former = new Set(before.map(({ imageId }) => imageId));
  if (coverId !== null) former.add(coverId);
  const pictures = await attachPictures(transaction, viewer, form, former);
  await insertPhotos(transaction, planId, pictures.photoIds);
  for (const imageId of former) await releaseFile(transaction, imageId);
  return pictures.coverId;
}
