import { nowMs } from '@tara/contract/clock';
import { philippineDay } from '@tara/contract/members/profiles';
import type { NewAssignment } from '@tara/contract/money/admin-money';
import { longDay } from '@tara/contract/philippine-time';
import { type Dispute, evidenceDueOn, type Payment, PaymongoError, readSince } from '@tara/paymongo';
import { and, eq, gte, lte, ne, sql } from 'drizzle-orm';
import { isAmong } from '../../platform/database/among.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import {
  awaitsAssignment,
  bookHeld,
  bookLost,
  bookReturned,
  disputedCentavos,
  freezable,
  makeUpLoss,
  occasionOf,
} from './chargeback-booking.ts';
import { endTaken, isOpenDisbursement, isOwnPayment, sendWhatWaited } from './disbursements.ts';
import type { PaymentContext } from './provider.ts';
import { capturedPayments, chargebacks, disbursements, unassignedDisputes } from './tables.ts';
import { watchChargebacks } from './watch.ts';

type Request = typeof interactions.$inferSelect;
type Chargeback = typeof chargebacks.$inferSelect;

type Outcome = Chargeback['state'];
/** How a dispute ended, as far as it did; an unknown status is open. */
export const outcomeOf = ({ attributes: { status } }: Dispute): Outcome => {
  if (status === 'won') return 'won';
  return status === 'lost' || status === 'expired' ? 'lost' : 'open';
};

/** Whether the evidence was sent and the issuer decides; nothing takes that back. */
const isUnderReview = ({ attributes: { status } }: Dispute): boolean => status === 'under_review';

/** The key of the lock under which disputes are assigned to payments, one after the other. */
const disputeLock = 77;
const lockDisputes = (transaction: Transaction) =>
  transaction.execute(sql`select pg_advisory_xact_lock(${disputeLock})`);

/**
 * Records what the provider says of a dispute by the card issuer: opens it once, notes once that its evidence was sent, and
 * decides it once, in whatever order and however often the events come. Each is one transaction with the request, the ledger,
 * and what was to be sent. One that names no payment, and that not exactly one payment fits, waits for an admin (`assignDispute`).
 */
export async function recordChargeback(context: PaymentContext, dispute: Dispute): Promise<void> {
  const { database } = context;
  const named = (await findChargeback(database, dispute.id))?.paymentId ?? dispute.attributes.payment_id;
  const { payment: shown = null, disputed } =
    named == null ? await findDisputed(context, dispute) : { disputed: [] };
  const interactionId = await database.transaction(async (transaction) => {
    await lockDisputes(transaction);
    // An admin may have assigned it meanwhile.
    const known = await findChargeback(transaction, dispute.id);
    const paymentId =
      known?.paymentId ?? named ?? shown ?? (await onlyFitting(transaction, dispute, disputed));
    if (paymentId === null) return storeUnassigned(transaction, dispute, disputed);
    const request = await lockPaymentRequest(transaction, paymentId);
    if (!request) {
      context.log.error({ disputeId: dispute.id, paymentId }, 'a disputed payment is none of ours');
      return null;
    }
    await applyDispute(transaction, context, { request, paymentId, dispute });
    await watchChargebacks(transaction, context);
    return request.id;
  });
  if (interactionId) await announceInteraction(context, interactionId);
}

/** What is known of a dispute, as far as its payment's request is concerned. Locks nothing: its caller did. */
async function applyDispute(
  transaction: Transaction,
  context: Pick<PaymentContext, 'config'>,
  opened: Opened,
): Promise<void> {
  const { request, dispute } = opened;
  const waited = await transaction
    .delete(unassignedDisputes)
    .where(eq(unassignedDisputes.id, dispute.id))
    .returning({ id: unassignedDisputes.id });
  const known = await findChargeback(transaction, dispute.id);
  const row = known ?? (await open(transaction, context, opened));
  const outcome = outcomeOf(dispute);
  if (row.state !== 'open') return;
  if (isUnderReview(dispute) && !row.isUnderReview)
    await transaction.update(chargebacks).set({ isUnderReview: true }).where(eq(chargebacks.id, row.id));
  if (outcome === 'open') return;
  await decide(transaction, context, { request, row, outcome });
  // Of one that was open or waited for its payment they know.
  if (known !== null || waited.length > 0) return;
  const details = { amount: String(row.amountCentavos), outcome };
  await notify(transaction, { event: 'chargebackDecided', to: 'admins', recordId: row.id, details });
}

export async function findChargeback(
  database: Database | Transaction,
  id: string,
): Promise<Chargeback | null> {
  const [row] = await database.select().from(chargebacks).where(eq(chargebacks.id, id));
  return row ?? null;
}

/** Whether what the provider says of a dispute is new: the dispute itself, assigned or not, its review or its decision. */
export async function isNews(database: Database, dispute: Dispute): Promise<boolean> {
  const [known] = await database
    .select({ state: chargebacks.state, isUnderReview: chargebacks.isUnderReview })
    .from(chargebacks)
    .where(eq(chargebacks.id, dispute.id))
    .unionAll(
      database
        .select({ state: unassignedDisputes.state, isUnderReview: unassignedDisputes.isUnderReview })
        .from(unassignedDisputes)
        .where(eq(unassignedDisputes.id, dispute.id)),
    );
  if (known === undefined) return true;
  if (known.state !== 'open') return false;
  return outcomeOf(dispute) !== 'open' || (isUnderReview(dispute) && !known.isUnderReview);
}

/** For how long before it was paid a payment may have been there, pending: 30 days, in seconds. */
const mostPendingSeconds = 30 * 24 * 3600;
const toDate = (seconds: number | null | undefined) => new Date(seconds == null ? nowMs() : seconds * 1000);
const disputedAt = ({ attributes }: Dispute) => toDate(attributes.created_at);
/** The last day on which the provider takes evidence for a dispute that was opened then. */
export const dueDay = (openedAt: Date): string => evidenceDueOn(philippineDay(openedAt));

/**
 * The payments that the provider shows as disputed, of at least the dispute's amount and paid before it. None when the
 * dispute itself is not open or lost at the provider any more, or cannot be read there: then its payment may be shown as
 * disputed no more, and another one instead. And the payment that the dispute names when it is read.
 */
async function findDisputed(
  { database, provider }: PaymentContext,
  dispute: Dispute,
): Promise<{ payment?: string | null | undefined; disputed: Payment[] }> {
  // It is about none of before our first.
  const [first] = await database
    .select({ paidAt: sql<number>`extract(epoch from min(${capturedPayments.paidAt}))::float8` })
    .from(capturedPayments);
  const since = (first?.paidAt ?? nowMs() / 1000) - mostPendingSeconds;
  const payments = await readSince('GET /v1/payments', provider.payments.list, since);
  const present = await provider.disputes.get(dispute.id).catch((error: unknown) => {
    if (error instanceof PaymongoError && error.status === 403) return null;
    throw error;
  });
  const payment = present?.attributes.payment_id;
  if (present === null || outcomeOf(present) === 'won') return { payment, disputed: [] };
  const disputed = payments.filter(
    ({ attributes: { disputed, amount, paid_at: paidAt, created_at: createdAt } }) =>
      disputed === true &&
      amount >= dispute.attributes.amount &&
      toDate(paidAt ?? createdAt) <= disputedAt(dispute),
  );
  return { payment, disputed };
}

/**
 * The captured payment that a dispute is about: the only one of the disputed that has no dispute yet, when no other
 * unassigned dispute fits it. A payment for a request of ours that is not captured yet counts as well.
 */
async function onlyFitting(
  transaction: Transaction,
  dispute: Dispute,
  disputed: readonly Payment[],
): Promise<string | null> {
  const references = disputed.flatMap(({ attributes }) => attributes.external_reference_number ?? []);
  const ours = await transaction
    .select({ reference: interactions.referenceNumber })
    .from(interactions)
    .where(isAmong(interactions.referenceNumber, references));
  const captured = await capturedOf(transaction, disputed);
  const taken = await transaction
    .select({ id: chargebacks.paymentId })
    .from(chargebacks)
    .where(isAmong(chargebacks.paymentId, captured));
  const isOurs = ({ id, attributes }: Payment) =>
    captured.includes(id) || ours.some(({ reference }) => reference === attributes.external_reference_number);
  const [only, ...others] = disputed.filter(
    (payment) => isOurs(payment) && !taken.some(({ id }) => id === payment.id),
  );
  if (!only || others.length > 0 || !captured.includes(only.id)) return null;
  const { amount, paid_at: paidAt, created_at: createdAt } = only.attributes;
  const rivals = await transaction.$count(
    unassignedDisputes,
    and(
      ne(unassignedDisputes.id, dispute.id),
      awaitsAssignment,
      lte(unassignedDisputes.amountCentavos, amount),
      gte(unassignedDisputes.disputedAt, toDate(paidAt ?? createdAt)),
    ),
  );
  return rivals === 0 ? only.id : null;
}

async function capturedOf(transaction: Transaction, payments: readonly Payment[]): Promise<string[]> {
  const rows = await transaction
    .select({ id: capturedPayments.id })
    .from(capturedPayments)
    .where(
      isAmong(
        capturedPayments.id,
        payments.map(({ id }) => id),
      ),
    );
  return rows.map(({ id }) => id);
}

/** Stores a dispute for an admin, and tells all of them, unless Tara lost nothing by it. */
async function storeUnassigned(
  transaction: Transaction,
  dispute: Dispute,
  disputed: readonly Payment[],
): Promise<null> {
  const { id, attributes } = dispute;
  const state = outcomeOf(dispute);
  const paymentIds = await capturedOf(transaction, disputed);
  await transaction
    .insert(unassignedDisputes)
    .values({
      ...{ id, state, paymentIds, amountCentavos: attributes.amount, reason: attributes.reason ?? '' },
      ...{ disputedAt: disputedAt(dispute), isUnderReview: isUnderReview(dispute) },
    })
    .onConflictDoUpdate({
      target: unassignedDisputes.id,
      set: {
        state,
        ...(isUnderReview(dispute) && { isUnderReview: true }),
        ...(paymentIds.length > 0 && { paymentIds }),
      },
      setWhere: eq(unassignedDisputes.state, 'open'),
    });
  if (state === 'won') return null;
  const details = {
    amount: String(attributes.amount),
    ...(state === 'open' && !isUnderReview(dispute) && { dueOn: longDay(dueDay(disputedAt(dispute))) }),
  };
  await notify(transaction, { event: 'disputeUnassigned', to: 'admins', recordId: id, details });
  return null;
}

/**
 * An admin says which payment an unassigned dispute is about, or corrects it of one that is not decided: what was frozen
 * goes back then, and what is there of the right payment is frozen. Of a payment that the provider shows as disputed, as far as
 * it can be read there.
 * @throws Problem `dispute_assignment_not_possible`, `general_argument_invalid` with why the payment is not the one,
 * `admin_own_record` for a party of either request.
 */
export async function assignDispute(
  context: PaymentContext,
  admin: Viewer,
  { disputeId, paymentId, reason }: NewAssignment,
): Promise<void> {
  const shown = await context.provider.payments.get(paymentId).catch((error: unknown) => {
    context.log.warn(
      { err: error, paymentId },
      'a payment could not be read before its dispute was assigned',
    );
    return null;
  });
  const changed = await context.database.transaction(async (transaction) => {
    await lockDisputes(transaction);
    const known = await findChargeback(transaction, disputeId);
    const [waiting] = await transaction
      .select()
      .from(unassignedDisputes)
      .where(and(eq(unassignedDisputes.id, disputeId), awaitsAssignment));
    const present = known ?? waiting;
    if (!present || (known && known.state !== 'open')) throw new Problem('dispute_assignment_not_possible');
    const previous = known && (await lockPaymentRequest(transaction, known.paymentId));
    const request = await lockPaymentRequest(transaction, paymentId);
    const refuse = (reason: string) =>
      new Problem('general_argument_invalid', { fields: { paymentId: reason } });
    if (!request) throw refuse('No payment of Tara has this id.');
    if (known?.paymentId === paymentId) throw refuse('The dispute is about this payment already.');
    const problem = await whyNotAbout(transaction, present.amountCentavos, paymentId);
    if (problem !== null) throw refuse(problem);
    if (shown !== null && shown.attributes.disputed !== true)
      throw refuse('The provider does not show this payment as disputed.');
    for (const { clientId, creatorId } of previous ? [previous, request] : [request])
      if ([clientId, creatorId].includes(admin.profileId)) throw new Problem('admin_own_record');
    if (known && previous) await withdraw(transaction, previous, known);
    const dispute = {
      ...{ id: disputeId, type: 'dispute' },
      attributes: {
        amount: present.amountCentavos,
        reason: present.reason,
        status: statusOf(present),
        ...(waiting && { created_at: Math.floor(waiting.disputedAt.getTime() / 1000) }),
      },
    };
    const assignment = (known?.assignment ?? 0) + 1;
    await applyDispute(transaction, context, {
      // Read anew: of a correction between two payments of one request it was changed.
      request: (await lockPaymentRequest(transaction, paymentId)) ?? request,
      ...{ paymentId, dispute, assignment },
      isAssigned: true,
      ...(known && { dueOn: known.dueOn }),
    });
    await watchChargebacks(transaction, context);
    await audit(transaction, admin, {
      action: 'dispute.assign',
      subject: `dispute:${disputeId}`,
      before: { paymentId: known?.paymentId ?? null },
      after: { paymentId, reason },
    });
    return previous ? [previous.id, request.id] : [request.id];
  });
  for (const id of new Set(changed)) await announceInteraction(context, id);
}

/** Why a dispute of so many centavos cannot be about a captured payment; null when it can. */
async function whyNotAbout(
  transaction: Transaction,
  amountCentavos: number,
  paymentId: string,
): Promise<string | null> {
  const [payment] = await transaction
    // Nested, because a column of the one table of a query loses its table else.
    .select({ centavos: capturedPayments.amountCentavos, disputed: sql<number>`${disputedCentavos}` })
    .from(capturedPayments)
    .where(eq(capturedPayments.id, paymentId));
  const { centavos = 0, disputed = 0 } = payment ?? {};
  if (centavos < amountCentavos) return 'This payment is smaller than the disputed amount.';
  if (centavos < disputed + amountCentavos)
    return 'Together with its other disputes this is more than the payment.';
  return null;
}

/** What the provider last said of a stored dispute, in its words. */
const statusOf = ({ state, isUnderReview }: Pick<Chargeback, 'state' | 'isUnderReview'>): string =>
  state !== 'open' ? state : isUnderReview ? 'under_review' : 'needs_response';

/** Undoes that a dispute was opened for a payment that it is not about. */
async function withdraw(transaction: Transaction, request: Request, row: Chargeback): Promise<void> {
  const { paymentId } = row;
  await transaction.delete(chargebacks).where(eq(chargebacks.id, row.id));
  await bookReturned(transaction, request, row, 'chargeback_corrected');
  // Of what is there again an issuer may have taken some by another dispute, which ends the request.
  await makeUpLoss(transaction, request.id, paymentId);
  await endTaken(transaction, paymentId);
  await unfreeze(transaction, (await lockPaymentRequest(transaction, paymentId)) ?? request, row);
  await sendWhatWaited(transaction, request.id);
}

/** Nothing of the request is decided, sent or booked until the transaction ends. */
async function lockPaymentRequest(transaction: Transaction, paymentId: string): Promise<Request | null> {
  const [payment] = await transaction
    .select({ interactionId: capturedPayments.interactionId })
    .from(capturedPayments)
    .where(eq(capturedPayments.id, paymentId));
  if (!payment) return null;
  const [request] = await transaction
    .select()
    .from(interactions)
    .where(eq(interactions.id, payment.interactionId))
    .for('update');
  return request ?? null;
}

interface Opened {
  request: Request;
  /** The provider's. */
  paymentId: string;
  dispute: Dispute;
  assignment?: number;
  isAssigned?: boolean;
  /** As it was before it was corrected; by its opening unless given. */
  dueOn?: string;
}

async function open(
  transaction: Transaction,
  { config }: Pick<PaymentContext, 'config'>,
  { request, paymentId, dispute, assignment, isAssigned, dueOn = dueDay(disputedAt(dispute)) }: Opened,
): Promise<Chargeback> {
  const { amount: amountCentavos, reason } = dispute.attributes;
  const { id: interactionId } = request;
  const payments = await transaction
    .select()
    .from(capturedPayments)
    .where(eq(capturedPayments.interactionId, interactionId));
  const disputed = { paymentId, amountCentavos };
  const [row] = await transaction
    .insert(chargebacks)
    .values({
      ...{ id: dispute.id, interactionId, reason: reason ?? '', assignment, isAssigned, dueOn },
      ...disputed,
      feeCentavos: config.chargebackFeeCentavos,
      ...(await freezable(transaction, disputed)),
      evidence: {
        planTitle: request.planTitle,
        terms: request.terms,
        payments: payments.map(({ id, amountCentavos, method, paidAt }) => ({
          ...{ id, amountCentavos, method, paidAt: paidAt.toISOString() },
        })),
        referenceNumber: request.referenceNumber,
      },
    })
    .returning();
  if (!row) throw new Error('a chargeback was not stored');
  await bookHeld(transaction, request, row);
  // A payment that came a second time waits alone (`isInDispute`).
  if (!isOwnPayment(request, paymentId)) return row;
  // A refund that is under way may be refused: then it is not sent again.
  const goingBack = and(
    ...[eq(disbursements.paymentId, paymentId), eq(disbursements.purpose, 'refund'), isOpenDisbursement],
  );
  const isFrozen = row.fromEscrowCentavos + row.fromPayableCentavos > 0;
  if (!isFrozen && (await transaction.$count(disbursements, goingBack)) === 0) return row;
  await transaction
    .update(interactions)
    .set({ frozenAt: sql`coalesce(${interactions.frozenAt}, now())`, updatedAt: sql`now()` })
    .where(eq(interactions.id, interactionId));
  // One that came decided is told of by its decision alone, and what is under way does not wait.
  if (isFrozen && request.frozenAt === null && outcomeOf(dispute) === 'open')
    await notifyParties(transaction, 'paymentFrozen', request, row);
  return row;
}

/** Tells whom the money of a request belongs to that it waits, or that it moves again. */
async function notifyParties(
  transaction: Transaction,
  event: 'paymentFrozen' | 'paymentUnfrozen',
  { id: interactionId, cancelledAt, completedAt }: Request,
  row: Chargeback,
): Promise<void> {
  const isOver = cancelledAt !== null || completedAt !== null;
  await notify(transaction, {
    ...{ event, interactionId, occasion: occasionOf(row) },
    // Of what goes back to the client anyway nothing is the creator's.
    to: cancelledAt === null ? ['client', 'creator'] : ['client'],
    details: { amount: String(row.amountCentavos), ...(isOver && { isOver: 'yes' }) },
  });
}

async function decide(
  transaction: Transaction,
  { config }: Pick<PaymentContext, 'config'>,
  { request, row, outcome }: { request: Request; row: Chargeback; outcome: 'won' | 'lost' },
): Promise<void> {
  await transaction
    .update(chargebacks)
    .set({ state: outcome, decidedAt: sql`now()` })
    .where(and(eq(chargebacks.id, row.id), eq(chargebacks.state, 'open')));
  await unfreeze(transaction, request, outcome === 'won' ? row : null);
  if (outcome === 'won') await bookReturned(transaction, request, row, 'chargeback_won');
  else await bookLost(transaction, request, row, config.chargebackFeeCentavos);
  await sendWhatWaited(transaction, request.id);
}

/**
 * Nothing of the request waits for the card issuer any more, unless another dispute about its own payment is open.
 * @param returned the chargeback after which the money goes on; null when the issuer took it.
 */
async function unfreeze(
  transaction: Transaction,
  request: Request,
  returned: Chargeback | null,
): Promise<void> {
  const open = await transaction
    .select({ paymentId: chargebacks.paymentId })
    .from(chargebacks)
    .where(and(eq(chargebacks.interactionId, request.id), eq(chargebacks.state, 'open')));
  if (open.some(({ paymentId }) => isOwnPayment(request, paymentId))) return;
  await transaction.update(interactions).set({ frozenAt: null }).where(eq(interactions.id, request.id));
  // Of one that stopped nothing they were not told.
  const hadStopped = returned !== null && returned.fromEscrowCentavos + returned.fromPayableCentavos > 0;
  if (hadStopped && request.frozenAt !== null && request.chargedBackAt === null)
    await notifyParties(transaction, 'paymentUnfrozen', request, returned);
}
