import type { NewAssignment } from '@tara/contract/money/admin-money';
import type { Payment } from '@tara/paymongo';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { isAmong } from '../../platform/database/among.ts';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { isAssignable, undisputedCentavos } from './chargeback-booking.ts';
import {
  applyDispute,
  asReceived,
  findChargeback,
  insertForeign,
  insertUnassigned,
  lockDisputes,
  lockPaymentRequest,
  notifyUnassigned,
  possibleIdsOf,
  requirePaymentRequest,
  setForeign,
  withdraw,
} from './chargebacks.ts';
import type { PaymentContext } from './provider.ts';
import { capturedPayments, chargebacks, unassignedDisputes } from './tables.ts';
import { watchChargebacks } from './watch.ts';

/**
 * An admin says which payment an unassigned dispute is about, or corrects it of one that is not decided: what was frozen
 * goes back then, and what is there of the right payment is frozen. Of a payment that the provider shows as disputed, as far as
 * it can be read there; null when it is about none of Tara's. What an admin said before of open disputes that leave too little of the
 * payment is taken back, so that of two that were mixed up each can be corrected.
 * @throws Problem `dispute_assignment_not_possible`, `general_argument_invalid` with why the payment is not the one,
 * `admin_own_record` for a party of either request, or of one that it may be about.
 */
export async function assignDispute(
  context: PaymentContext,
  admin: Viewer,
  { disputeId, paymentId, reason }: NewAssignment,
): Promise<void> {
  const shown = paymentId === null ? null : await readShown(context, paymentId);
  const changed = await context.database.transaction(async (transaction) => {
    await lockDisputes(transaction);
    const known = await findChargeback(transaction, disputeId);
    const [stored] = await transaction
      .select()
      .from(unassignedDisputes)
      .where(and(eq(unassignedDisputes.id, disputeId), isAssignable));
    const present = known ?? stored;
    if (!present || (known && known.state !== 'open')) throw new Problem('dispute_assignment_not_possible');
    if (paymentId === null && stored && stored.foreignAt !== null)
      throw new Problem('dispute_assignment_not_possible');
    const previous = known && (await lockPaymentRequest(transaction, known.paymentId));
    const request = paymentId === null ? null : await lockPaymentRequest(transaction, paymentId);
    if (paymentId !== null) {
      const problem =
        known?.paymentId === paymentId
          ? 'The dispute is about this payment already.'
          : await whyNotAbout(transaction, present.amountCentavos, { paymentId, shown });
      if (problem !== null) throw new Problem('general_argument_invalid', { fields: { paymentId: problem } });
    }
    const requests = [previous, request].filter((one) => one !== null);
    const possibleIds = known ? possibleIdsOf(known) : (stored?.paymentIds ?? []);
    for (const { clientId, creatorId } of [...requests, ...(await partiesOf(transaction, possibleIds))])
      if ([clientId, creatorId].includes(admin.profileId)) throw new Problem('admin_own_record');
    if (known && previous) await withdraw(transaction, previous, known);
    let unassignedIds: string[] = [];
    if (paymentId === null) {
      if (known) await insertForeign(transaction, known);
      else await setForeign(transaction, disputeId);
    } else {
      const { amountCentavos } = present;
      unassignedIds = await takeBackUncertain(transaction, { paymentId, amountCentavos, possibleIds });
      await applyDispute(transaction, context, {
        // Read anew: of a correction between two payments of one request it was changed.
        request: await requirePaymentRequest(transaction, paymentId),
        ...{ paymentId, dispute: asReceived(present), isAssigned: true },
        ...(known && { assignment: known.assignment + 1, possibleIds }),
      });
    }
    await watchChargebacks(transaction, context);
    await audit(transaction, admin, {
      action: 'dispute.assign',
      subject: `dispute:${disputeId}`,
      before: { paymentId: known?.paymentId ?? null, isForeign: (stored?.foreignAt ?? null) !== null },
      after: { paymentId, reason, ...(unassignedIds.length > 0 && { unassignedIds }) },
    });
    return requests.map(({ id }) => id);
  });
  for (const id of new Set(changed)) await announceInteraction(context, id);
}

/** Whose requests were paid with some payments. */
const partiesOf = (transaction: Transaction, paymentIds: readonly string[]) =>
  transaction
    .select({ clientId: interactions.clientId, creatorId: interactions.creatorId })
    .from(capturedPayments)
    .innerJoin(interactions, eq(interactions.id, capturedPayments.interactionId))
    .where(isAmong(capturedPayments.id, paymentIds));

/** A payment as the provider shows it; null when it cannot be read. */
const readShown = ({ provider, log }: PaymentContext, paymentId: string) =>
  provider.payments.get(paymentId).catch((error: unknown) => {
    log.warn({ err: error, paymentId }, 'a payment could not be read before its dispute was assigned');
    return null;
  });

/** Why a dispute of so many centavos cannot be about a payment, as the provider shows it; null when it can. */
async function whyNotAbout(
  transaction: Transaction,
  amountCentavos: number,
  { paymentId, shown }: { paymentId: string; shown: Payment | null },
): Promise<string | null> {
  const [payment] = await transaction
    // Nested, because a column of the one table of a query loses its table else.
    .select({
      centavos: capturedPayments.amountCentavos,
      rest: sql<number>`${undisputedCentavos} + ${uncertainCentavos}`,
    })
    .from(capturedPayments)
    .where(eq(capturedPayments.id, paymentId));
  if (!payment) return 'No payment of Tara has this id.';
  if (payment.centavos < amountCentavos) return 'This payment is smaller than the disputed amount.';
  if (payment.rest < amountCentavos) return 'Together with its other disputes this is more than the payment.';
  return shown === null || shown.attributes.disputed === true
    ? null
    : 'The provider does not show this payment as disputed.';
}

/** Open disputes of which an admin, who may be wrong, said that they are about their payment. Of `chargebacks`. */
const isUncertain = sql`(${chargebacks.state} = 'open' and ${chargebacks.isAssigned})`;

/** What these are about of a captured payment. Centavos. */
const uncertainCentavos = sql<number>`(select coalesce(sum(${chargebacks.amountCentavos}), 0)
  from ${chargebacks} where ${chargebacks.paymentId} = ${capturedPayments.id} and ${isUncertain})::float8`;

/**
 * Takes back what admins said of the open disputes of a payment, where they leave less of it than another one that is about it.
 * @param possibleIds payments that that one may have been about, so that these may be
 * @returns their ids
 */
async function takeBackUncertain(
  transaction: Transaction,
  {
    paymentId,
    amountCentavos,
    possibleIds,
  }: { paymentId: string; amountCentavos: number; possibleIds: readonly string[] },
): Promise<string[]> {
  const isFull = and(eq(capturedPayments.id, paymentId), lt(undisputedCentavos, amountCentavos));
  if ((await transaction.$count(capturedPayments, isFull)) === 0) return [];
  const rows = await transaction
    .select()
    .from(chargebacks)
    .where(and(eq(chargebacks.paymentId, paymentId), isUncertain))
    // The newest first: what an older one held goes to those that were opened after it.
    .orderBy(desc(chargebacks.createdAt), desc(chargebacks.id));
  for (const row of rows) {
    const request = await requirePaymentRequest(transaction, paymentId);
    await withdraw(transaction, request, row, { staysFrozen: true });
    await insertUnassigned(transaction, row, possibleIds);
    await notifyUnassigned(transaction, asReceived(row), String(row.assignment));
  }
  return rows.map(({ id }) => id);
}
