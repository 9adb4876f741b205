import { platformFee as feeCentavos } from '@tara/contract/interactions/interactions';
import { shareDetails } from '@tara/contract/notifications/facts';
import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { retryBusy } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { audit } from '../audit/index.ts';
import { adminRefusal, announceInteraction, interactions, stepCondition } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { plans } from '../plans/index.ts';
import { announceProfileChange, profiles } from '../profiles/index.ts';
import { owePayout, oweRefund, ownPayment } from './disbursements.ts';
import { book, escrow, payable, platformFee } from './ledger.ts';
import type { PaymentContext } from './provider.ts';

type Confirmed = typeof interactions.$inferSelect;

/**
 * An admin confirms that the meeting took place (§4): what was held for the request is owed to its creator, the payout
 * starts, both parties' counts rise and the creator may publish one plan more (decisions §1). All or nothing.
 * @throws Problem `interaction_not_found`, `admin_own_record`, `plan_confirm_failed` with the reason; the second of two
 * admins gets it too.
 */
export async function confirmPlan(
  context: Pick<PaymentContext, 'database' | 'bus'>,
  admin: Viewer,
  interactionId: string,
): Promise<void> {
  const confirm = async (transaction: Transaction) => {
    const [request] = await transaction
      .update(interactions)
      .set({
        adminSetDoneAt: sql`now()`,
        completedAt: sql`now()`,
        confirmedBy: admin.accountId,
        releasedCentavos: sql`${interactions.priceCentavos}`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(interactions.id, interactionId), stepCondition('confirm', admin)))
      .returning();
    if (!request) return null;
    await countMeeting(transaction, request);
    await releaseEscrow(transaction, request, request.priceCentavos);
    const details = shareDetails(request.priceCentavos, request.platformFeeBasisPoints);
    await notify(transaction, { event: 'confirmed', interactionId, to: ['client', 'creator'], details });
    await audit(transaction, admin, {
      action: 'plan.confirm',
      subject: `interaction:${interactionId}`,
      before: { completed: false },
      after: { completed: true, creatorId: request.creatorId, owedCentavos: request.priceCentavos },
    });
    return request;
  };
  const confirmed = await retryBusy(() => context.database.transaction(confirm));
  if (!confirmed)
    throw await adminRefusal(context.database, admin, interactionId, () => 'confirm', 'plan_confirm_failed');
  await announceInteraction(context, interactionId);
  // Their meetings have risen, and the creator's plan limit.
  for (const id of [confirmed.creatorId, confirmed.clientId]) await announceProfileChange(context, id);
}

/**
 * Owes what an admin decided about the money that is held, in the transaction of the decision, which stores both parts
 * with the request: one to the creator, of a meeting that took place, the other to the client.
 */
export async function settleDecision(transaction: Transaction, request: Confirmed): Promise<void> {
  const { releasedCentavos, refundCentavos } = request;
  if (releasedCentavos > 0) {
    await countMeeting(transaction, request);
    await releaseEscrow(transaction, request, releasedCentavos);
  }
  if (refundCentavos > 0) await oweRefund(transaction, request, refundCentavos);
}

/** The second key of the locks of members whose meetings are counted. */
const meetingLock = 85;

/**
 * A meeting took place: both parties' counts rise, and the creator may publish one plan more (decisions §1). Members are
 * locked in the order of their ids, before the plan, and by advisory locks: a row that is locked and then updated can
 * deadlock with one that waits for it, while others insert rows that refer to it.
 */
async function countMeeting(
  transaction: Transaction,
  { creatorId, clientId, planId }: Confirmed,
): Promise<void> {
  await transaction.execute(sql`
    select pg_advisory_xact_lock(hashtextextended(id, ${meetingLock}))
    from (select unnest(array[${creatorId}, ${clientId}]) as id order by 1) both_sides`);
  await transaction.execute(sql`
    update ${profiles} set
      total_interaction = total_interaction + 1,
      limited_plan = limited_plan + case when ${profiles.id} = ${creatorId} then 1 else 0 end
    where ${profiles.id} in (${creatorId}, ${clientId})`);
  await transaction
    .update(plans)
    .set({ totalMeetings: sql`${plans.totalMeetings} + 1` })
    .where(eq(plans.id, planId));
}

/**
 * Owes the creator a part of what is held, less the platform fee that was agreed with the request, in the transaction
 * that decides it. Centavos; 0 of a free plan moves nothing. Once per request.
 */
async function releaseEscrow(transaction: Transaction, request: Confirmed, centavos: number): Promise<void> {
  if (centavos === 0) return;
  const { id: interactionId, creatorId, platformFeeBasisPoints } = request;
  const fee = feeCentavos(centavos, platformFeeBasisPoints);
  const amount = centavos - fee;
  const paymentId = await ownPayment(transaction, request);
  await book(transaction, {
    ...{ kind: 'release', interactionId, paymentId, of: interactionId },
    entries: [
      [escrow(interactionId), centavos],
      [platformFee, -fee],
      [payable(creatorId), -amount],
    ],
  });
  if (amount > 0) await owePayout(transaction, request, paymentId, amount);
}
