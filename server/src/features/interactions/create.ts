import type { Interaction, NewInteraction } from '@tara/contract/interactions/interactions';
import { latestAdultBirthDate } from '@tara/contract/members/profiles';
import { refundWindowDays } from '@tara/contract/money/payment-methods';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { refuseTakenId, violates } from '../../platform/database/constraint.ts';
import { requireConsent, type Viewer } from '../../platform/http/viewer.ts';
import { newId, newReferenceNumber } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { notify } from '../notifications/index.ts';
import { planCan, plans } from '../plans/index.ts';
import { profiles } from '../profiles/index.ts';
import { memberCan, visibleTo } from '../visibility/index.ts';
import { isBooked, meetingDetails } from './days.ts';
import { presentInteraction } from './present.ts';
import { announceInteraction } from './read.ts';

/**
 * Sends a request for a plan (§4, §7). What is asked and what it costs is read from the plan itself; a free plan counts
 * as paid at once (decisions §1), for any other the payment link is made by a job.
 * @throws Problem `account_consent_missing`, `plan_not_found`, `interaction_own_plan`, `plan_creator_unverified`,
 * `plan_birth_date_missing`, `plan_under_age`, `plan_closed`, `plan_paused`, `interaction_already_requested`,
 * `interaction_time_taken`, `document_already_exists` for a chosen id that is taken, `general_argument_invalid` for one that
 * is reserved.
 */
export async function createInteraction(
  platform: Pick<Platform, 'database' | 'bus' | 'config'>,
  viewer: Viewer,
  wish: NewInteraction,
  chosenId?: string,
): Promise<Interaction> {
  requireConsent(viewer);
  if (chosenId !== undefined && isReserved(chosenId)) {
    throw new Problem('general_argument_invalid', {
      fields: { documentId: 'Must not be like an id of a payment.' },
    });
  }
  const id = chosenId ?? newId();
  await store(platform, viewer, { ...wish, id });
  const row = await announceInteraction(platform, id, 'create');
  if (!row) throw new Problem('interaction_not_found');
  return presentInteraction(row, viewer.accountId);
}

/** Ids of payments are the provider's, or `link-<request>`: confirmations and searches know a request and a payment by one id. */
const isReserved = (id: string) => /^(link-|pay_)/.test(id);

type StoreContext = Pick<Platform, 'database' | 'config'>;

async function store(
  platform: StoreContext,
  viewer: Viewer,
  wish: NewInteraction & { id: string },
  tries = 3,
): Promise<void> {
  const { id } = wish;
  try {
    await platform.database.transaction(async (transaction) => {
      const price = await insertFromPlan(transaction, platform.config, viewer, wish);
      if (price === null) throw await refusal(transaction, viewer, wish);
      const details = meetingDetails({
        meetsAt: wish.meetsAt ? new Date(wish.meetsAt) : null,
        place: wish.place,
      });
      await notify(transaction, { event: 'requested', interactionId: id, to: ['creator'], details });
      if (price > 0) await tasks.createPaymentLink.enqueue(transaction, { interactionId: id });
      else await notify(transaction, { event: 'free', interactionId: id, to: ['client', 'creator'] });
    });
  } catch (error) {
    if (violates(error, 'interactions_one_open')) throw new Problem('interaction_already_requested');
    // Seven characters can meet by chance.
    if (violates(error, 'interactions_reference_number_key') && tries > 1) {
      return store(platform, viewer, wish, tries - 1);
    }
    refuseTakenId('interactions_pkey')(error);
  }
}

/**
 * `planCan.request` and the plan's own price in the inserting statement. Returns the price in centavos, or null when
 * refused.
 */
async function insertFromPlan(
  transaction: Transaction,
  config: StoreContext['config'],
  viewer: Viewer,
  { id, planId, meetsAt, place = '' }: NewInteraction & { id: string },
): Promise<number | null> {
  const start = sql`${meetsAt ?? null}::timestamptz`;
  const end = sql`${start} + make_interval(mins => ${plans.durationMinutes})`;
  // A second request for the plan has another reason to be refused.
  const ownRequest: Parameters<typeof isBooked>[2] = (request) =>
    sql`${request.clientId} = ${viewer.profileId} and ${request.planId} = ${planId}`;
  const [row] = await transaction.execute<{ price: number }>(sql`
    insert into interactions
      (id, plan_id, plan_title, terms, client_id, creator_id, price_centavos, platform_fee_basis_points,
        refund_window_days, meets_at, meets_until, place, pay_until, paid_at, reference_number)
    select ${id}, ${plans.id}, ${plans.title}, ${plans.terms}, client.id, ${plans.creatorId}, ${plans.priceCentavos},
      ${config.platformFeeBasisPoints}, ${refundWindowDays(config.paymentMethods)}, ${start}, ${end}, ${place},
      case when ${plans.priceCentavos} > 0 then now() + make_interval(days => ${config.unpaidDays}) end,
      case when ${plans.priceCentavos} = 0 then now() end,
      case when ${plans.priceCentavos} = 0 then ${newReferenceNumber()} end
    from ${plans} join ${profiles} client on client.id = ${viewer.profileId}
      join ${profiles} creator on creator.id = ${plans.creatorId} and creator.verified and creator.deleted_at is null
    where ${plans.id} = ${planId} and ${plans.removedAt} is null and ${plans.closedAt} is null and client.verified
      and client.birth_date <= ${latestAdultBirthDate()}
      and ${plans.creatorId} <> client.id and ${visibleTo(viewer, plans.creatorId) ?? true}
      and not ${isBooked(plans.creatorId, { start, end }, ownRequest)}
    -- Until the commit the plan is neither changed nor closed.
    for share of ${plans}
    returning price_centavos as price`);
  return row ? Number(row.price) : null;
}

async function refusal(
  transaction: Transaction,
  viewer: Viewer,
  { planId }: NewInteraction,
): Promise<Problem> {
  const [row] = await transaction
    .select({
      creatorId: plans.creatorId,
      closedAt: plans.closedAt,
      verified: profiles.verified,
      bDay: profiles.birthDate,
      isCreatorVerified: sql<boolean>`exists (select from ${profiles} creator
        where creator.id = ${plans.creatorId} and creator.verified and creator.deleted_at is null)`,
    })
    .from(plans)
    .innerJoin(profiles, eq(profiles.id, viewer.profileId))
    .where(and(eq(plans.id, planId), isNull(plans.removedAt)));
  if (!row || !memberCan.see(viewer, row.creatorId)) return new Problem('plan_not_found');
  const { verified, bDay, creatorId, isCreatorVerified, closedAt } = row;
  const creator = { id: creatorId, verified: isCreatorVerified };
  const verdict = planCan.request({ id: viewer.profileId, verified, bDay }, { creator, closedAt });
  return new Problem(verdict === true ? 'interaction_time_taken' : verdict);
}
