import { nowMs } from '@tara/contract/clock';
import { isRefundable } from '@tara/contract/money/payment-methods';
import { isDefiniteRefusal, type Payment, type Refund } from '@tara/paymongo';
import { and, eq, getTableColumns, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { errorText, type PaymentContext } from './provider.ts';
import { heldBackText, isHeldBack, readPayment } from './read-payment.ts';
import { type OrderAge, orderAge, orderTexts } from './sending.ts';
import { lockRequest, settleRefund } from './settle.ts';
import { capturedPayments, chargebacks, payouts, refunds } from './tables.ts';

type Row = typeof refunds.$inferSelect;
type Request = Pick<typeof interactions.$inferSelect, 'id' | 'paymentId'>;

/**
 * Owes the client a part of the request's own payment, in the transaction that decides it. Centavos. Once per request.
 * `interactions.refund_centavos` is the caller's to set in the same statement as the state.
 */
export async function oweRefund(transaction: Transaction, request: Request, amountCentavos: number) {
  // One that an earlier version booked without its id is the only one.
  const own = request.paymentId === null ? undefined : eq(capturedPayments.id, request.paymentId);
  const [payment] = await transaction
    .select({ id: capturedPayments.id })
    .from(capturedPayments)
    .where(and(eq(capturedPayments.interactionId, request.id), own));
  if (!payment) throw new Error(`request ${request.id} has no payment to give back`);
  const paymentId = payment.id;
  await insertRefund(transaction, { id: request.id, interactionId: request.id, paymentId, amountCentavos });
}

/** Owes the client a payment that came for a request that is paid already. */
export async function oweSecondPayment(
  transaction: Transaction,
  interactionId: string,
  { paymentId, amountCentavos }: { paymentId: string; amountCentavos: number },
) {
  await insertRefund(transaction, { id: paymentId, interactionId, paymentId, amountCentavos });
}

async function insertRefund(transaction: Transaction, refund: typeof refunds.$inferInsert): Promise<void> {
  await transaction.insert(refunds).values(refund);
  await tasks.refund.enqueue(transaction, { refundId: refund.id });
}

/**
 * Brings one refund forward: owed → sending → refunded. May be run at any time and more than once: the payment is asked
 * for its refunds first, an order whose answer is not known is repeated only as long as the provider keeps its key, and the
 * provider gives back no more than was paid. What the payment's method does not give back,
 * or no longer, becomes a transfer to the client. While the card issuer disputes the payment, as the provider shows it right
 * before, nothing is sent.
 */
export async function payBack(context: PaymentContext, refundId: string): Promise<void> {
  const { database } = context;
  const [refund] = await database
    .update(refunds)
    // Without an earlier error: an admin turns only what is not being sent into a transfer.
    .set({ state: 'sending', lastError: null, updatedAt: sql`now()` })
    .where(and(eq(refunds.id, refundId), eq(refunds.way, 'provider'), ne(refunds.state, 'refunded')))
    .returning({ ...getTableColumns(refunds), age: orderAge(refunds.orderedAt) });
  if (!refund) return;
  let isSent = false;
  try {
    const payment = await readPayment(context, refund);
    const sent = await findSent(context, refund, payment);
    if (sent) return await recordRefundState(context, refund, sent);
    if (isOrdered(refund) && refund.age !== 'repeatable')
      return await endOrder(context, refund, { age: refund.age, payment });
    if (!isOrdered(refund) && (await isFrozen(context, refund))) return;
    if (await isHeldBack(context, payment)) return await noteHeldBack(context, refund);
    const { amount, paid_at: paidAt, created_at: createdAt, source } = payment.attributes;
    const possible = isRefundable({
      method: source?.type ?? null,
      paidAt: new Date((paidAt ?? createdAt ?? 0) * 1000),
      isPart: refund.amountCentavos < amount,
    });
    // What the provider may have under this attempt is sent again until it answers.
    if (possible === false && !isOrdered(refund)) return await giveUp(context, refund);
    if (!(await beginOrder(context, refund))) return;
    isSent = true;
    await recordRefundState(context, refund, await send(context, refund, payment));
  } catch (error) {
    // Only the answer to the order says that it moved nothing, not one to a question about the payment.
    const isRefused = isSent && isDefiniteRefusal(error);
    if (isRefused && (await isRefusedForGood(context, refund, error)))
      return giveUp(context, refund, { isRefused });
    const lastError = error instanceof Error ? errorText(error.message) : 'unknown';
    // A refusal is stored under its key, so the next sending needs another one.
    const attempt = isRefused ? refund.attempt + 1 : refund.attempt;
    await database.update(refunds).set({ lastError, attempt }).where(presentAttempt(refund));
    await announceInteraction(context, refund.interactionId);
    throw error;
  }
}

/**
 * Of an order that is not repeated any more the payment has no refund. When nothing of it can be on its way any more it never
 * arrived, and is followed by another one.
 */
async function endOrder(
  context: PaymentContext,
  refund: Row,
  { age, payment }: { age: OrderAge; payment: Payment },
): Promise<void> {
  const isOver = age === 'forgotten' && payment.attributes.refunds != null;
  const change = isOver
    ? { attempt: refund.attempt + 1, lastError: orderTexts.forgotten }
    : { lastError: orderTexts.unclear };
  await context.database.transaction(async (transaction) => {
    await lockRequest(transaction, refund.interactionId);
    const changed = await transaction
      .update(refunds)
      .set(change)
      .where(and(presentAttempt(refund), isNull(refunds.refundId), ne(refunds.state, 'refunded')))
      .returning({ refundId: refunds.id });
    if (!isOver) return;
    for (const { refundId } of changed) await tasks.refund.enqueue(transaction, { refundId });
  });
  await announceInteraction(context, refund.interactionId);
}

async function noteHeldBack({ database, bus }: PaymentContext, refund: Row): Promise<void> {
  await database.update(refunds).set({ lastError: heldBackText }).where(presentAttempt(refund));
  await announceInteraction({ database, bus }, refund.interactionId);
}

/**
 * The payment's time is over, its method gives nothing back or not so little, or its card issuer took a part of it. Every other refusal may
 * end, or is for an admin.
 */
async function isRefusedForGood(context: PaymentContext, refund: Row, error: unknown): Promise<boolean> {
  if (!isDefiniteRefusal(error)) return false;
  if (error.has('resource_disputed_state')) return isChargedBack(context, refund);
  return ['allowed_date_exceeded', 'parameter_below_minimum', 'payment_not_refundable'].some((code) =>
    error.has(code),
  );
}

async function isFrozen({ database }: PaymentContext, { interactionId }: Row): Promise<boolean> {
  const here = and(eq(interactions.id, interactionId), isNotNull(interactions.frozenAt));
  return (await database.$count(interactions, here)) > 0;
}

/** Whether the card issuer has taken back some of the payment, the request's own or a second one. */
async function isChargedBack({ database }: PaymentContext, refund: Row): Promise<boolean> {
  const { id, interactionId, paymentId } = refund;
  const here =
    id === interactionId
      ? and(eq(interactions.id, id), isNotNull(interactions.chargedBackAt))
      : sql`exists (select from ${chargebacks} where ${chargebacks.paymentId} = ${paymentId}
          and ${chargebacks.state} = 'lost') and ${interactions.id} = ${interactionId}`;
  return (await database.$count(interactions, here)) > 0;
}

/** Whether the provider may have the order of the present attempt: its answer is not known. */
export const isOrdered = ({ attempt, orderedAttempt }: Pick<Row, 'attempt' | 'orderedAttempt'>): boolean =>
  orderedAttempt === attempt;

/**
 * Stores that the provider may have the order, before it is sent: from then on its amount stays, until the provider
 * definitely refuses it.
 * @returns whether it may be sent: not while the card issuer disputes the payment, nor when a lost chargeback reduced it.
 */
async function beginOrder({ database }: PaymentContext, refund: Row): Promise<boolean> {
  if (isOrdered(refund)) return true;
  return database.transaction(async (transaction) => {
    // A freeze waits for this transaction and finds the order, or this one finds the freeze.
    const request = await lockRequest(transaction, refund.interactionId);
    if (request?.frozenAt !== null) return false;
    const ordered = await transaction
      .update(refunds)
      .set({ orderedAttempt: refund.attempt, orderedAt: sql`now()` })
      .where(
        and(
          presentAttempt(refund),
          eq(refunds.way, 'provider'),
          ne(refunds.state, 'refunded'),
          eq(refunds.amountCentavos, refund.amountCentavos),
        ),
      )
      .returning({ id: refunds.id });
    return ordered.length === 1;
  });
}

/**
 * Lets a payout carry a refund that the provider does not, to the number that the client named, or will be asked for.
 * Nothing of it is under way at the provider then: an order whose answer is not known keeps it from this.
 * @returns whether it did
 */
export async function turnIntoTransfer(transaction: Transaction, refund: Row): Promise<boolean> {
  const { id, interactionId } = refund;
  const payoutId = `${id}-refund`;
  const request = await lockRequest(transaction, interactionId);
  if (!request) throw new Error('a refund has no request');
  const [transferred] = await transaction
    .update(refunds)
    .set({ way: 'transfer', lastError: null, updatedAt: sql`now()` })
    .where(
      and(
        presentAttempt(refund),
        eq(refunds.way, 'provider'),
        isNull(refunds.refundId),
        sql`${refunds.orderedAttempt} is distinct from ${refunds.attempt}`,
        ne(refunds.state, 'refunded'),
      ),
    )
    // A lost chargeback may have reduced it since it was read.
    .returning({ amountCentavos: refunds.amountCentavos });
  if (!transferred) return false;
  await transaction.insert(payouts).values({
    ...{ id: payoutId, interactionId, recipientId: request.clientId, number: request.refundNumber },
    ...{ purpose: 'refund' as const, amountCentavos: transferred.amountCentavos },
  });
  await tasks.payout.enqueue(transaction, { payoutId });
  return true;
}

/** @param isRefused whether the provider definitely refused the order of the present attempt. */
async function giveUp(context: PaymentContext, refund: Row, { isRefused = false } = {}): Promise<void> {
  await context.database.transaction(async (transaction) => {
    await lockRequest(transaction, refund.interactionId);
    if (!isRefused) return turnIntoTransfer(transaction, refund);
    const attempt = refund.attempt + 1;
    const raised = await transaction
      .update(refunds)
      .set({ attempt })
      .where(presentAttempt(refund))
      .returning({ id: refunds.id });
    return raised.length === 1 && turnIntoTransfer(transaction, { ...refund, attempt });
  });
  await announceInteraction(context, refund.interactionId);
}

const presentAttempt = ({ id, attempt }: Row) => and(eq(refunds.id, id), eq(refunds.attempt, attempt));

async function findSent({ provider }: PaymentContext, refund: Row, payment: Payment): Promise<Refund | null> {
  if (refund.refundId !== null) return provider.refunds.get(refund.refundId);
  // Another amount is not ours: somebody gave it back by hand.
  const isOurs = ({ attributes: { status, amount } }: Refund) =>
    status !== 'failed' && amount === refund.amountCentavos;
  return payment.attributes.refunds?.find(isOurs) ?? null;
}

async function send({ provider }: PaymentContext, refund: Row, payment: Payment): Promise<Refund> {
  return provider.refunds.create(
    {
      amount: refund.amountCentavos,
      payment_id: payment.id,
      reason: 'requested_by_customer',
      notes: refund.interactionId,
    },
    `refund-${refund.id}-${refund.attempt}`,
  );
}

/** Attempts that follow each other soon; later ones are the reconciler's, every hour. */
const soonAttempts = 4;
const pauseMs = 5000;

async function recordRefundState(context: PaymentContext, row: Row, refund: Refund): Promise<void> {
  const { database } = context;
  const { id, interactionId, amountCentavos: amount } = row;
  if (refund.attributes.status !== 'succeeded') {
    const failed = refund.attributes.status === 'failed';
    await database
      .update(refunds)
      .set(
        failed
          ? { refundId: null, attempt: row.attempt + 1, lastError: 'The refund failed.' }
          : { refundId: refund.id, lastError: null },
      )
      .where(presentAttempt(row));
    if (failed && row.attempt < soonAttempts) {
      await tasks.refund.enqueue(database, { refundId: id }, { runAt: new Date(nowMs() + pauseMs) });
    }
    return void (await announceInteraction(context, interactionId));
  }
  const settled = await database.transaction((transaction) =>
    settleRefund(transaction, { refundId: id, interactionId, amount, providerRefundId: refund.id }),
  );
  if (settled) return void (await announceInteraction(context, interactionId));
  const isKnown = (await database.$count(refunds, eq(refunds.id, id))) > 0;
  if (!isKnown)
    context.log.error({ refundId: id, interactionId, amount }, 'a refund arrived that was no longer owed');
}
