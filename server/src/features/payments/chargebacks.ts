import { nowMs } from '@tara/contract/clock';
import { philippineDay } from '@tara/contract/members/profiles';
import { longDay } from '@tara/contract/philippine-time';
import { type Dispute, evidenceDueOn, type Payment, PaymongoError, readSince } from '@tara/paymongo';
import { and, eq, gte, isNotNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import { isAmong } from '../../platform/database/among.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import {
  awaitsAssignment,
  bookHeld,
  bookLost,
  bookReturned,
  freezable,
  isOver,
  makeUpByCorrection,
  occasionOf,
} from './chargeback-booking.ts';
import { isOpenDisbursement, isOwnPayment, sendWhatWaited } from './disbursements.ts';
import type { PaymentContext } from './provider.ts';
import { capturedPayments, chargebacks, disbursements, unassignedDisputes } from './tables.ts';
import { watchChargebacks } from './watch.ts';

type Request = typeof interactions.$inferSelect;
type Chargeback = typeof chargebacks.$inferSelect;
type Unassigned = typeof unassignedDisputes.$inferSelect;

type Outcome = Chargeback['state'];
/** How a dispute ended, as far as it did; an unknown status is open. */
export const outcomeOf = ({ attributes: { status } }: Dispute): Outcome => {
  if (status === 'won') return 'won';
  return status === 'lost' || status === 'expired' ? 'lost' : 'open';
};

/** The payment that a dispute names; null when it names none. */
const namedPayment = ({ attributes: { payment_id } }: Dispute): string | null => payment_id || null;

/** Whether the evidence was sent and the issuer decides; nothing takes that back. */
const isUnderReview = ({ attributes: { status } }: Dispute): boolean => status === 'under_review';

/** The key of the lock under which disputes are assigned to payments, one after the other. */
const disputeLock = 77;
export const lockDisputes = (transaction: Transaction) =>
  transaction.execute(sql`select pg_advisory_xact_lock(${disputeLock})`);

/**
 * Records what the provider says of a dispute by the card issuer: opens it once, notes once that its evidence was sent, and
 * decides it once, in whatever order and however often the events come. Each is one transaction with the request, the ledger,
 * and what was to be sent. One that names no payment, and that not exactly one payment fits, waits for an admin (`assignDispute`). One that is
 * open and names another payment than the one it was booked for is corrected.
 * @param concludedFrom the payment by which it was concluded: nothing is, once the dispute is about another one
 */
export async function recordChargeback(
  context: PaymentContext,
  received: Dispute,
  concludedFrom?: string,
): Promise<void> {
  const { dispute, disputed } =
    concludedFrom !== undefined || namedPayment(received) !== null
      ? { dispute: received, disputed: [] }
      : await findPayment(context, received);
  const { database } = context;
  const changed = await database.transaction(async (transaction) => {
    await lockDisputes(transaction);
    // An admin may have assigned it meanwhile.
    const known = await findChargeback(transaction, dispute.id);
    if (concludedFrom !== undefined && known?.paymentId !== concludedFrom) return [];
    const named = namedPayment(dispute);
    const wrong = known?.state === 'open' && named !== null && named !== known.paymentId ? known : null;
    const paymentId =
      (wrong ? named : known?.paymentId) ?? named ?? (await onlyFitting(transaction, dispute, disputed));
    if (paymentId === null) {
      await storeUnassigned(transaction, dispute, disputed);
      return [];
    }
    const previous = wrong && (await requirePaymentRequest(transaction, wrong.paymentId));
    const request = await lockPaymentRequest(transaction, paymentId);
    if (wrong && previous) {
      context.log.warn(
        { disputeId: dispute.id, paymentId: wrong.paymentId, named },
        'a dispute names another payment than it was booked for',
      );
      await withdraw(transaction, previous, wrong);
    }
    if (request)
      await applyDispute(transaction, context, {
        // Read anew: of a correction between two payments of one request it was changed.
        request: wrong ? await requirePaymentRequest(transaction, paymentId) : request,
        paymentId,
        ...(wrong ? { dispute: withStored(dispute, wrong), assignment: wrong.assignment + 1 } : { dispute }),
      });
    else {
      context.log.warn({ disputeId: dispute.id, paymentId }, 'a disputed payment is none of ours');
      if (wrong) await insertForeign(transaction, wrong);
      await storeForeign(transaction, dispute);
    }
    await watchChargebacks(transaction, context);
    return [previous, request].filter((one) => one !== null).map(({ id }) => id);
  });
  for (const id of new Set(changed)) await announceInteraction(context, id);
}

/** What is known of a dispute, as far as its payment's request is concerned. Locks nothing: its caller did. */
export async function applyDispute(
  transaction: Transaction,
  context: Pick<PaymentContext, 'config'>,
  opened: Opened,
): Promise<void> {
  const { request } = opened;
  const waited = await forgetUnassigned(transaction, opened.dispute.id);
  const dispute = waited ? withStored(opened.dispute, waited) : opened.dispute;
  const assignment = waited && waited.assignments + 1;
  const known = await findChargeback(transaction, dispute.id);
  const possibleIds = waited?.paymentIds;
  const row = known ?? (await open(transaction, context, { assignment, possibleIds, ...opened, dispute }));
  const outcome = outcomeOf(dispute);
  if (row.isAssigned && namedPayment(dispute) === row.paymentId)
    await transaction.update(chargebacks).set({ isAssigned: false }).where(eq(chargebacks.id, row.id));
  if (row.state !== 'open') return;
  if (isUnderReview(dispute) && !row.isUnderReview)
    await transaction.update(chargebacks).set({ isUnderReview: true }).where(eq(chargebacks.id, row.id));
  if (outcome === 'open') return;
  await decide(transaction, context, { request, row, outcome });
  // Of one that was open, or waited for its payment, they know.
  if (known !== null || opened.assignment !== undefined || (waited && waited.foreignAt === null)) return;
  const details = { amount: String(row.amountCentavos), outcome };
  await notify(transaction, { event: 'chargebackDecided', to: 'admins', recordId: row.id, details });
}

/** A dispute has a payment: what else it may have been about is looked at again. @returns it as it was stored */
async function forgetUnassigned(transaction: Transaction, id: string): Promise<Unassigned | undefined> {
  const [row] = await transaction.delete(unassignedDisputes).where(eq(unassignedDisputes.id, id)).returning();
  if (row) await sendWhatWaited(transaction, isAmong(disbursements.paymentId, row.paymentIds));
  return row;
}

export async function findChargeback(
  database: Database | Transaction,
  id: string,
): Promise<Chargeback | null> {
  const [row] = await database.select().from(chargebacks).where(eq(chargebacks.id, id));
  return row ?? null;
}

/**
 * Whether what the provider says of a dispute is new: the dispute itself, assigned or not, its payment, as long as it is not decided for
 * another one, its review or its decision.
 */
export async function isNews(database: Database, dispute: Dispute): Promise<boolean> {
  const payment = namedPayment(dispute);
  const [known] = await database
    .select({
      state: chargebacks.state,
      isUnderReview: chargebacks.isUnderReview,
      namesPayment: sql<boolean>`(${payment}::text is not null
        and case when ${chargebacks.paymentId} = ${payment}::text then ${chargebacks.isAssigned} else ${chargebacks.state} = 'open' end)`,
    })
    .from(chargebacks)
    .where(eq(chargebacks.id, dispute.id))
    .unionAll(
      database
        .select({
          state: unassignedDisputes.state,
          isUnderReview: unassignedDisputes.isUnderReview,
          // Of one about no payment of Tara only a payment of Tara is news.
          namesPayment: sql<boolean>`(${payment}::text is not null and (${unassignedDisputes.foreignAt} is null
            or exists (select from ${capturedPayments} where ${capturedPayments.id} = ${payment}::text)))`,
        })
        .from(unassignedDisputes)
        .where(eq(unassignedDisputes.id, dispute.id)),
    );
  if (known === undefined) return true;
  if (known.namesPayment) return true;
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
 * A dispute that was received without its payment, as it is read anew, and the payments that it may be about. One that is booked is read only when it
 * is decided: it may name its payment by now, and the decision stays.
 */
async function findPayment(
  context: PaymentContext,
  received: Dispute,
): Promise<{ dispute: Dispute; disputed: Payment[] }> {
  const known = await findChargeback(context.database, received.id);
  if (known === null) return findDisputed(context, received);
  const isNewlyDecided = known.state === 'open' && outcomeOf(received) !== 'open';
  const dispute = isNewlyDecided ? (await readAgain(context, received)).dispute : received;
  return { dispute, disputed: [] };
}

/**
 * A dispute as it is read anew, and the payments that the provider shows as disputed, of at least its amount and paid before it. None when it
 * names its payment, is not open or lost at the provider any more, or cannot be read there: then its payment may be shown as disputed no
 * more, and another one instead. It is read after the payments therefore; before them only because it may need none.
 */
async function findDisputed(
  context: PaymentContext,
  received: Dispute,
): Promise<{ dispute: Dispute; disputed: Payment[] }> {
  const { database, provider } = context;
  const before = await readAgain(context, received);
  if (!before.isOpenOrLost || namedPayment(before.dispute) !== null)
    return { dispute: before.dispute, disputed: [] };
  // It is about none of before our first.
  const [first] = await database
    .select({ paidAt: sql<number>`extract(epoch from min(${capturedPayments.paidAt}))::float8` })
    .from(capturedPayments);
  const since = (first?.paidAt ?? nowMs() / 1000) - mostPendingSeconds;
  const payments = await readSince('GET /v1/payments', provider.payments.list, since);
  const { dispute, isOpenOrLost } = await readAgain(context, received);
  if (!isOpenOrLost || namedPayment(dispute) !== null) return { dispute, disputed: [] };
  const disputed = payments.filter(
    ({ attributes: { disputed, amount, paid_at: paidAt, created_at: createdAt } }) =>
      disputed === true &&
      amount >= dispute.attributes.amount &&
      toDate(paidAt ?? createdAt) <= disputedAt(dispute),
  );
  return { dispute, disputed };
}

/**
 * A dispute as the provider shows it now: what was received may be older than its decision. What was received as decided, or cannot be read,
 * stays as it is, with the payment that it names now.
 */
async function readAgain(
  { provider }: PaymentContext,
  received: Dispute,
): Promise<{ dispute: Dispute; isOpenOrLost: boolean }> {
  const present = await provider.disputes.get(received.id).catch((error: unknown) => {
    // The account may not read disputes, or not this one.
    if (error instanceof PaymongoError && [403, 404].includes(error.status)) return null;
    throw error;
  });
  const { payment_id } = present?.attributes ?? {};
  const stays = present === null || outcomeOf(received) !== 'open';
  return {
    dispute: stays ? { ...received, attributes: { ...received.attributes, payment_id } } : present,
    isOpenOrLost: present !== null && outcomeOf(present) !== 'won',
  };
}

/**
 * The captured payment that a dispute is about: the only one of the disputed that no known dispute explains, when it never had one, and no other
 * unassigned dispute fits it. A dispute that was won explains nothing, because its payment is shown as disputed for another one, nor does one of
 * which an admin named the payment, who may be wrong. A payment for a request of ours that is not captured yet counts as one of them. None of
 * a dispute that is said to be about no payment of Tara.
 */
async function onlyFitting(
  transaction: Transaction,
  dispute: Dispute,
  disputed: readonly Payment[],
): Promise<string | null> {
  const foreign = and(eq(unassignedDisputes.id, dispute.id), isNotNull(unassignedDisputes.foreignAt));
  if ((await transaction.$count(unassignedDisputes, foreign)) > 0) return null;
  const references = disputed.flatMap(({ attributes }) => attributes.external_reference_number ?? []);
  const ours = await transaction
    .select({ reference: interactions.referenceNumber })
    .from(interactions)
    .where(isAmong(interactions.referenceNumber, references));
  const captured = await capturedOf(transaction, disputed);
  const known = await transaction
    .select({
      id: chargebacks.paymentId,
      explains: sql<boolean>`(${chargebacks.state} <> 'won' and not ${chargebacks.isAssigned})`,
    })
    .from(chargebacks)
    .where(isAmong(chargebacks.paymentId, captured));
  const isOurs = ({ id, attributes }: Payment) =>
    captured.includes(id) || ours.some(({ reference }) => reference === attributes.external_reference_number);
  const [only, ...others] = disputed.filter(
    (payment) => isOurs(payment) && !known.some(({ id, explains }) => id === payment.id && explains),
  );
  if (!only || others.length > 0 || !captured.includes(only.id)) return null;
  if (known.some(({ id }) => id === only.id)) return null;
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

/** Stores a dispute for an admin, and tells all of them, unless Tara loses nothing by it. */
async function storeUnassigned(
  transaction: Transaction,
  dispute: Dispute,
  disputed: readonly Payment[],
): Promise<void> {
  const state = outcomeOf(dispute);
  const stored = await upsertUnassigned(transaction, dispute, await capturedOf(transaction, disputed));
  if (state === 'won' && stored)
    await sendWhatWaited(transaction, isAmong(disbursements.paymentId, stored.paymentIds));
  // Of one that was decided before they know.
  if (state === 'won' || !stored || stored.foreignAt !== null) return;
  await notifyUnassigned(transaction, dispute);
}

/**
 * Tells all admins that a dispute waits for its payment.
 * @param occasion the number of the assignment that was taken back; empty for a new dispute
 */
export async function notifyUnassigned(
  transaction: Transaction,
  dispute: Dispute,
  occasion = '',
): Promise<void> {
  const details = {
    amount: String(dispute.attributes.amount),
    ...(outcomeOf(dispute) === 'open' &&
      !isUnderReview(dispute) && { dueOn: longDay(dueDay(disputedAt(dispute))) }),
  };
  await notify(transaction, {
    ...{ event: 'disputeUnassigned', to: 'admins', recordId: dispute.id, occasion, details },
  });
}

/** Stores a dispute that names a payment that is none of Tara's. */
async function storeForeign(transaction: Transaction, dispute: Dispute): Promise<void> {
  await upsertUnassigned(transaction, dispute, []);
  await setForeign(transaction, dispute.id);
}

/**
 * @param paymentIds what it may be about; none leave what is stored
 * @param more of a new one
 * @returns it as it is stored; undefined when it was decided before
 */
async function upsertUnassigned(
  transaction: Transaction,
  dispute: Dispute,
  paymentIds: string[],
  more: { foreignAt?: SQL; assignments?: number } = {},
): Promise<Unassigned | undefined> {
  const { id, attributes } = dispute;
  const state = outcomeOf(dispute);
  const [stored] = await transaction
    .insert(unassignedDisputes)
    .values({
      ...{ id, state, paymentIds, amountCentavos: attributes.amount, reason: attributes.reason ?? '' },
      ...{ disputedAt: disputedAt(dispute), isUnderReview: isUnderReview(dispute), ...more },
    })
    .onConflictDoUpdate({
      target: unassignedDisputes.id,
      set: {
        state,
        ...(isUnderReview(dispute) && { isUnderReview: true }),
        ...(paymentIds.length > 0 && { paymentIds }),
      },
      setWhere: eq(unassignedDisputes.state, 'open'),
    })
    .returning();
  return stored;
}

/** A stored dispute as the provider would say it. */
export function asReceived(stored: Chargeback | Unassigned): Dispute {
  const { id, amountCentavos: amount, reason, state, isUnderReview, disputedAt } = stored;
  const status = state !== 'open' ? state : isUnderReview ? 'under_review' : 'needs_response';
  const created_at = Math.floor(disputedAt.getTime() / 1000);
  return { id, type: 'dispute', attributes: { amount, reason, status, created_at } };
}

/** A dispute as it was received, with what is stored of it and an older or shorter text leaves out: nothing takes back a review or a decision. */
function withStored(dispute: Dispute, stored: Chargeback | Unassigned): Dispute {
  const { attributes } = asReceived(stored);
  const { reason, status, created_at } = dispute.attributes;
  const isOlder = outcomeOf(dispute) === 'open' && (stored.state !== 'open' || stored.isUnderReview);
  return {
    ...dispute,
    attributes: {
      ...dispute.attributes,
      reason: reason || attributes.reason,
      status: isOlder ? attributes.status : status,
      created_at: created_at ?? attributes.created_at,
    },
  };
}

/** A dispute that was stored is about no payment of Tara: nothing waits for it. */
export async function setForeign(transaction: Transaction, id: string): Promise<void> {
  const [row] = await transaction
    .update(unassignedDisputes)
    .set({ foreignAt: sql`coalesce(${unassignedDisputes.foreignAt}, now())` })
    .where(eq(unassignedDisputes.id, id))
    .returning({ paymentIds: unassignedDisputes.paymentIds });
  if (row) await sendWhatWaited(transaction, isAmong(disbursements.paymentId, row.paymentIds));
}

/** A dispute that was assigned is about no payment of Tara. */
export const insertForeign = (transaction: Transaction, assigned: Chargeback) =>
  insertUnassigned(transaction, assigned, [], { foreignAt: sql`now()` });

/** What an assigned dispute may be about: its payment, and those that it waited for before. */
export const possibleIdsOf = ({ paymentId, possiblePaymentIds }: Chargeback): string[] => [
  ...new Set([paymentId, ...possiblePaymentIds]),
];

/** A dispute that was assigned has no payment any more. @param moreIds what it may be about beside what is known */
export const insertUnassigned = (
  transaction: Transaction,
  assigned: Chargeback,
  moreIds: readonly string[],
  more: { foreignAt?: SQL } = {},
) =>
  upsertUnassigned(
    transaction,
    asReceived(assigned),
    [...new Set([...possibleIdsOf(assigned), ...moreIds])],
    {
      assignments: assigned.assignment,
      ...more,
    },
  );

/**
 * Undoes that a dispute was opened for a payment that it is not about.
 * @param staysFrozen another dispute of the payment takes its place, so that its parties are told nothing
 */
export async function withdraw(
  transaction: Transaction,
  request: Request,
  row: Chargeback,
  { staysFrozen = false } = {},
): Promise<void> {
  const { paymentId } = row;
  await transaction.delete(chargebacks).where(eq(chargebacks.id, row.id));
  await bookReturned(transaction, request, row, 'chargeback_corrected');
  // Of what is there again an issuer may have taken some by another dispute, which ends the request.
  await makeUpByCorrection(transaction, request, row);
  if (!staysFrozen) await unfreeze(transaction, await requirePaymentRequest(transaction, paymentId), row);
  await sendWhatWaited(transaction, eq(disbursements.interactionId, request.id));
}

/** Nothing of the request is decided, sent or booked until the transaction ends. */
export async function lockPaymentRequest(
  transaction: Transaction,
  paymentId: string,
): Promise<Request | null> {
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

export async function requirePaymentRequest(transaction: Transaction, paymentId: string): Promise<Request> {
  const request = await lockPaymentRequest(transaction, paymentId);
  if (!request) throw new Error(`payment ${paymentId} has no request`);
  return request;
}

interface Opened {
  request: Request;
  /** The provider's. */
  paymentId: string;
  dispute: Dispute;
  assignment?: number | undefined;
  isAssigned?: boolean;
  /** Payments that it may have been about. */
  possibleIds?: string[] | undefined;
}

async function open(
  transaction: Transaction,
  { config }: Pick<PaymentContext, 'config'>,
  { request, paymentId, dispute, assignment, isAssigned, possibleIds }: Opened,
): Promise<Chargeback> {
  const { amount: amountCentavos, reason } = dispute.attributes;
  const { id: interactionId } = request;
  const openedAt = disputedAt(dispute);
  const payments = await transaction
    .select()
    .from(capturedPayments)
    .where(eq(capturedPayments.interactionId, interactionId));
  const disputed = { paymentId, amountCentavos };
  const [row] = await transaction
    .insert(chargebacks)
    .values({
      ...{ id: dispute.id, interactionId, reason: reason ?? '', assignment, isAssigned },
      ...{ disputedAt: openedAt, dueOn: dueDay(openedAt), possiblePaymentIds: possibleIds },
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
  request: Request,
  row: Chargeback,
): Promise<void> {
  await notify(transaction, {
    ...{ event, interactionId: request.id, occasion: occasionOf(row) },
    // Of what goes back to the client anyway nothing is the creator's.
    to: request.cancelledAt === null ? ['client', 'creator'] : ['client'],
    details: { amount: String(row.amountCentavos), ...(isOver(request) && { isOver: 'yes' }) },
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
  await sendWhatWaited(transaction, eq(disbursements.interactionId, request.id));
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
  const rows = await transaction.select().from(chargebacks).where(eq(chargebacks.interactionId, request.id));
  const own = rows.filter(({ paymentId }) => isOwnPayment(request, paymentId));
  if (own.some(({ state }) => state === 'open')) return;
  await transaction.update(interactions).set({ frozenAt: null }).where(eq(interactions.id, request.id));
  const { frozenAt } = request;
  if (returned === null || frozenAt === null || request.chargedBackAt !== null) return;
  // Of those that stopped nothing they were not told.
  const hadStopped = [
    returned,
    ...own.filter(({ decidedAt }) => decidedAt !== null && decidedAt >= frozenAt),
  ].some(({ fromEscrowCentavos, fromPayableCentavos }) => fromEscrowCentavos + fromPayableCentavos > 0);
  if (hadStopped) await notifyParties(transaction, 'paymentUnfrozen', request, returned);
}
