import { isDefiniteRefusal, type Payment, type Refund } from '@tara/paymongo';
import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { notify } from '../notices/index.ts';
import { book, escrow, refunded } from './ledger.ts';
import { errorText, type PaymentContext } from './provider.ts';
import { refunds } from './tables.ts';

type Row = typeof refunds.$inferSelect;
type Request = Pick<typeof interactions.$inferSelect, 'id' | 'paymentId'>;

/** The id under which a payment is stored that the link did not name. */
export const unnamedPayment = (interactionId: string) => `link-${interactionId}`;

/**
 * Owes the client a part of the request's own payment, in the transaction that decides it. Centavos. Once per request.
 * `interactions.refund_centavos` is the caller's to set in the same statement as the state.
 */
export async function oweRefund(transaction: Transaction, request: Request, amountCentavos: number) {
  const paymentId = request.paymentId ?? unnamedPayment(request.id);
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
 * for its refunds first, and the provider gives back no more than was paid.
 */
export async function payBack(money: PaymentContext, refundId: string): Promise<void> {
  const { database } = money;
  const [refund] = await database
    .update(refunds)
    .set({ state: 'sending', updatedAt: sql`now()` })
    .where(and(eq(refunds.id, refundId), ne(refunds.state, 'refunded')))
    .returning();
  if (!refund) return;
  try {
    const payment = await paymentOf(money, refund);
    await recordRefundState(
      money,
      refund,
      (await findSent(money, refund, payment)) ?? (await send(money, refund, payment)),
    );
  } catch (error) {
    const lastError = error instanceof Error ? errorText(error.message) : 'unknown';
    // A refusal is stored under its key, so the next sending needs another one.
    const attempt = isDefiniteRefusal(error) ? refund.attempt + 1 : refund.attempt;
    await database.update(refunds).set({ lastError, attempt }).where(presentAttempt(refund));
    throw error;
  }
}

const presentAttempt = ({ id, attempt }: Row) => and(eq(refunds.id, id), eq(refunds.attempt, attempt));

async function paymentOf(
  { database, provider }: PaymentContext,
  { paymentId, interactionId }: Row,
): Promise<Payment> {
  if (paymentId !== unnamedPayment(interactionId)) return provider.payments.get(paymentId);
  const [request] = await database
    .select({ paymentId: interactions.paymentId, linkId: interactions.linkId })
    .from(interactions)
    .where(eq(interactions.id, interactionId));
  if (request?.paymentId) return provider.payments.get(request.paymentId);
  const link = request?.linkId ? await provider.links.get(request.linkId) : null;
  const payment = link?.payments[0];
  if (!payment) throw new Error('the payment to give back is not known');
  return payment;
}

async function findSent({ provider }: PaymentContext, refund: Row, payment: Payment): Promise<Refund | null> {
  if (refund.refundId !== null) return provider.refunds.get(refund.refundId);
  return payment.attributes.refunds?.find(({ attributes }) => attributes.status !== 'failed') ?? null;
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

async function recordRefundState(money: PaymentContext, row: Row, refund: Refund): Promise<void> {
  const { database } = money;
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
    return;
  }
  const settled = await database.transaction(async (transaction) => {
    const [paid] = await transaction
      .update(refunds)
      .set({ state: 'refunded', refundId: refund.id, lastError: null, refundedAt: sql`now()` })
      .where(and(eq(refunds.id, id), ne(refunds.state, 'refunded')))
      .returning({ id: refunds.id });
    if (!paid) return false;
    const entries = { [escrow(interactionId)]: amount, [refunded(interactionId)]: -amount };
    await book(transaction, { kind: 'refund', interactionId, of: id, entries });
    // A second payment that went back changes nothing for the request.
    if (id !== interactionId) return true;
    await transaction
      .update(interactions)
      .set({ refundedAt: sql`now()`, updatedAt: sql`now()` })
      .where(and(eq(interactions.id, interactionId), isNull(interactions.refundedAt)));
    const details = { amount: String(amount) };
    await notify(transaction, { event: 'refunded', interactionId, to: ['client'], details });
    return true;
  });
  if (settled) await announceInteraction(money, interactionId);
}
