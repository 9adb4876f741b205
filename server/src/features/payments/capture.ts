import { type Payment, type PaymentLink, paymentFee, withheldTax } from '@tara/paymongo';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/constraint.ts';
import { announceInteraction, interactions, lockCreator, oneBooking } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { oweRefund } from './disbursements.ts';
import { book, cash, escrow, fees, taxWithheld } from './ledger.ts';
import type { PaymentContext } from './provider.ts';
import { namePayment } from './read-payment.ts';
import { capturedPayments } from './tables.ts';

/** Which request a payment says it is for. */
type Claim = { linkId: string } | { referenceNumber: string };

/** What is known of a payment. Centavos. */
interface Received {
  /** The provider's. */
  id: string;
  amount: number;
  currency: string;
  /** What the provider kept. */
  fee: number;
  /** Withheld on its fees, which lowered them. */
  tax: number;
  /** As the provider names it: `card`, `gcash`, … */
  method: string | null;
}

const claimCondition = (claim: Claim) =>
  'linkId' in claim
    ? eq(interactions.linkId, claim.linkId)
    : eq(interactions.referenceNumber, claim.referenceNumber);

/** Books the payments of a link, if it has any. Safe to call again, from any delivery or poll. */
export async function captureLink(context: PaymentContext, link: PaymentLink): Promise<void> {
  const payments = link.payments.filter(({ attributes }) => attributes.status === 'paid');
  for (const payment of payments) await capture(context, { linkId: link.id }, received(context, payment));
  // Nothing is booked without the provider's id: it says which payment it was later.
  if (payments.length === 0 && link.status === 'paid')
    context.log.warn({ linkId: link.id }, 'a paid link does not name its payment');
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
  return { id: payment.id, amount, currency, fee: fee ?? 0, tax: withheldTax(payment), method };
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
    if (await isBooked(transaction, request, payment)) return null;
    await bookCapture(transaction, request.id, payment);
    if (request.paidAt !== null) {
      await oweRefund(transaction, request, payment.amount, payment.id);
      await notify(transaction, {
        ...{ event: 'paidTooLate', interactionId: request.id, to: ['client'], occasion: payment.id },
        details: { amount: String(payment.amount), paymentId: payment.id },
      });
      context.log.warn(
        { interactionId: request.id, second: payment.id },
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

/** Whether the payment is booked. One that an earlier version booked before its link named it gets its id. */
async function isBooked(transaction: Transaction, request: Request, { id }: Received): Promise<boolean> {
  const booked = await transaction
    .select({ id: capturedPayments.id })
    .from(capturedPayments)
    .where(eq(capturedPayments.interactionId, request.id));
  if (booked.some((payment) => payment.id === id)) return true;
  return namePayment(transaction, request.id, id);
}

type Request = typeof interactions.$inferSelect;

async function markPaid(transaction: Transaction, request: Request, payment: Received): Promise<void> {
  const paid = { paidAt: sql`now()`, paymentId: payment.id, updatedAt: sql`now()` };
  const here = eq(interactions.id, request.id);
  const back = { ...paid, refundCentavos: payment.amount };
  const refund = () => oweRefund(transaction, request, payment.amount, payment.id);
  const amount = String(payment.amount);
  if (request.cancelledAt !== null) {
    await transaction.update(interactions).set(back).where(here);
    await notify(transaction, {
      ...{ event: 'paidTooLate', interactionId: request.id, to: ['client'] },
      details: { amount },
    });
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
    await notify(transaction, {
      ...{ event: 'paidTooLate', interactionId: request.id, to: ['client'] },
      details: { amount, taken: 'yes' },
    });
    await refund();
  }
}

/** Books money that was received for a request, in the transaction that marks it paid. Centavos. */
async function bookCapture(
  transaction: Transaction,
  interactionId: string,
  { id, amount, fee, tax, method }: Received,
): Promise<void> {
  await transaction
    .insert(capturedPayments)
    .values({ id, interactionId, amountCentavos: amount, feeCentavos: fee, method });
  await book(transaction, {
    ...{ kind: 'capture', interactionId, paymentId: id, of: id },
    entries: [
      [cash, amount - fee],
      [fees, fee + tax],
      [taxWithheld, -tax],
      [escrow(interactionId), -amount],
    ],
  });
}

/** Why nothing was booked: nearly always because it is booked already. */
async function logRefusal({ database, log }: PaymentContext, claim: Claim, payment: Received): Promise<void> {
  const [request] = await database
    .select({ id: interactions.id, price: interactions.priceCentavos, paymentId: interactions.paymentId })
    .from(interactions)
    .where(claimCondition(claim));
  if (!request) return log.warn({ ...claim, paymentId: payment.id }, 'a payment is for no request of ours');
  if (request.price !== payment.amount || payment.currency !== 'PHP') {
    const details = { interactionId: request.id, price: request.price, ...payment, paymentId: payment.id };
    return log.error(details, 'a payment does not match its request: nothing was booked');
  }
}
