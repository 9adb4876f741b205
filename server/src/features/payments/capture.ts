import { type Payment, type PaymentLink, paymentFee } from '@tara/paymongo';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/constraint.ts';
import { announceInteraction, interactions, lockCreator, oneBooking } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { book, cash, escrow, fees } from './ledger.ts';
import type { PaymentContext } from './provider.ts';
import { oweRefund, oweSecondPayment, unnamedPayment } from './refunds.ts';
import { capturedPayments } from './tables.ts';

/** Which request a payment says it is for. */
type Claim = { linkId: string } | { referenceNumber: string };

/** What is known of a payment. Centavos. */
interface Received {
  paymentId: string | null;
  amount: number;
  currency: string;
  fee: number;
  /** As the provider names it: `card`, `gcash`, … */
  method: string | null;
}

const claimCondition = (claim: Claim) =>
  'linkId' in claim
    ? eq(interactions.linkId, claim.linkId)
    : eq(interactions.referenceNumber, claim.referenceNumber);

/** Books the payment of a link, if it has one. Safe to call again, from any delivery or poll. */
export async function captureLink(context: PaymentContext, link: PaymentLink): Promise<void> {
  const payments = link.payments.filter(({ attributes }) => attributes.status === 'paid');
  for (const payment of payments) await capture(context, { linkId: link.id }, received(context, payment));
  if (payments.length > 0) return;
  // A paid link that does not list its payment: §7 reads the status from the link itself.
  if (link.status === 'paid') {
    const { amount, currency } = link;
    await capture(context, { linkId: link.id }, { paymentId: null, amount, currency, fee: 0, method: null });
  }
}

/** The same for a payment that names the link only by its reference number. */
export async function capturePayment(context: PaymentContext, payment: Payment): Promise<void> {
  const referenceNumber = payment.attributes.external_reference_number;
  if (payment.attributes.status !== 'paid' || !referenceNumber) return;
  await capture(context, { referenceNumber }, received(context, payment));
}

function received({ log }: PaymentContext, payment: Payment): Received {
  const { amount, currency } = payment.attributes;
  const fee = paymentFee(payment);
  // What we hold of the client's is the amount either way.
  if (fee === null) log.error({ paymentId: payment.id }, 'a payment has no plausible fee: 0 was booked');
  const method = payment.attributes.source?.type ?? null;
  return { paymentId: payment.id, amount, currency, fee: fee ?? 0, method };
}

/**
 * Books the payment, once: of deliveries and polls that come twice or at the same time, the row of the payment lets one
 * through. The first payment marks the request paid. What comes too late goes back by itself: the payment of a request
 * that is over, of a time that was given to another meanwhile, and a second payment. Money that is not exactly what we
 * asked for moves nothing.
 */
async function capture(context: PaymentContext, claim: Claim, payment: Received): Promise<void> {
  const captured = await context.database.transaction(async (transaction) => {
    await lockCreator(transaction, claimCondition(claim));
    const [request] = await transaction
      .select()
      .from(interactions)
      .where(
        and(
          claimCondition(claim),
          gt(interactions.priceCentavos, 0),
          eq(interactions.priceCentavos, payment.amount),
          sql`${payment.currency}::text = 'PHP'`,
        ),
      )
      .for('update');
    if (!request) return null;
    const id = payment.paymentId ?? unnamedPayment(request.id);
    if (await isBooked(transaction, request, payment)) return null;
    await bookCapture(transaction, request.id, { ...payment, id });
    if (request.paidAt !== null) {
      await oweSecondPayment(transaction, request.id, { paymentId: id, amountCentavos: payment.amount });
      context.log.warn(
        { interactionId: request.id, second: id },
        'a request was paid twice: the second goes back',
      );
      return request.id;
    }
    await markPaid(transaction, request, payment);
    return request.id;
  });
  if (captured === null) await logRefusal(context, claim, payment);
  else await announceInteraction(context, captured);
}

/**
 * Whether the payment is booked: under its id, or before the link named it. Its name is stored then, and it is known by
 * that name from then on.
 */
async function isBooked(transaction: Transaction, request: Request, payment: Received): Promise<boolean> {
  const known = await transaction
    .select({ id: capturedPayments.id })
    .from(capturedPayments)
    .where(eq(capturedPayments.interactionId, request.id));
  if (payment.paymentId === null || payment.paymentId === request.paymentId) return known.length > 0;
  if (known.some(({ id }) => id === payment.paymentId)) return true;
  if (request.paymentId !== null || !known.some(({ id }) => id === unnamedPayment(request.id))) return false;
  await transaction
    .update(interactions)
    .set({ paymentId: payment.paymentId })
    .where(eq(interactions.id, request.id));
  return true;
}

type Request = typeof interactions.$inferSelect;

async function markPaid(transaction: Transaction, request: Request, payment: Received): Promise<void> {
  const paid = { paidAt: sql`now()`, paymentId: payment.paymentId, updatedAt: sql`now()` };
  const here = eq(interactions.id, request.id);
  const back = { ...paid, refundCentavos: payment.amount };
  const refund = () =>
    oweRefund(transaction, { id: request.id, paymentId: payment.paymentId }, payment.amount);
  if (request.cancelledAt !== null) {
    await transaction.update(interactions).set(back).where(here);
    return refund();
  }
  try {
    await transaction.transaction((savepoint) => savepoint.update(interactions).set(paid).where(here));
    await notify(transaction, { event: 'paid', interactionId: request.id, to: ['client', 'creator'] });
  } catch (error) {
    if (!violates(error, oneBooking)) throw error;
    await transaction
      .update(interactions)
      .set({ ...back, cancelledAt: sql`now()`, cancelReason: 'time_taken' })
      .where(here);
    await notify(transaction, {
      event: 'cancelled',
      interactionId: request.id,
      to: ['client', 'creator'],
      details: { reason: 'time_taken' },
    });
    await refund();
  }
}

/** Books money that was received for a request, in the transaction that marks it paid. Centavos. */
async function bookCapture(
  transaction: Transaction,
  interactionId: string,
  { id, amount, fee, method }: Received & { id: string },
): Promise<void> {
  await transaction
    .insert(capturedPayments)
    .values({ id, interactionId, amountCentavos: amount, feeCentavos: fee, method });
  const entries = { [cash]: amount - fee, [fees]: fee, [escrow(interactionId)]: -amount };
  await book(transaction, { kind: 'capture', interactionId, of: id, entries });
}

/** Why nothing was booked: nearly always because it is booked already. */
async function logRefusal({ database, log }: PaymentContext, claim: Claim, payment: Received): Promise<void> {
  const [request] = await database
    .select({ id: interactions.id, price: interactions.priceCentavos, paymentId: interactions.paymentId })
    .from(interactions)
    .where(claimCondition(claim));
  if (!request)
    return log.warn({ ...claim, paymentId: payment.paymentId }, 'a payment is for no request of ours');
  if (request.price !== payment.amount || payment.currency !== 'PHP') {
    const details = { interactionId: request.id, price: request.price, ...payment };
    return log.error(details, 'a payment does not match its request: nothing was booked');
  }
}
