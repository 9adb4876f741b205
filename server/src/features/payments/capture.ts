import { type Payment, type PaymentLink, paymentFee } from '@tara/paymongo';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { notify } from '../notices/index.ts';
import { book, cash, escrow, fees } from './ledger.ts';
import type { PaymentContext } from './provider.ts';
import { refunds } from './tables.ts';

/** Which request a payment says it is for. */
type Claim = { linkId: string } | { referenceNumber: string };

/** What is known of a payment. Centavos. */
interface Received {
  paymentId: string | null;
  amount: number;
  currency: string;
  fee: number;
}

const claimCondition = (claim: Claim) =>
  'linkId' in claim
    ? eq(interactions.linkId, claim.linkId)
    : eq(interactions.referenceNumber, claim.referenceNumber);

/** Books the payment of a link, if it has one. Safe to call again, from any delivery or poll. */
export async function captureLink(money: PaymentContext, link: PaymentLink): Promise<void> {
  const payment = link.payments.find(({ attributes }) => attributes.status === 'paid');
  if (payment) return capture(money, { linkId: link.id }, received(money, payment));
  // A paid link that does not list its payment: §7 reads the status from the link itself.
  if (link.status === 'paid') {
    const { amount, currency } = link;
    await capture(money, { linkId: link.id }, { paymentId: null, amount, currency, fee: 0 });
  }
}

/** The same for a payment that names the link only by its reference number. */
export async function capturePayment(money: PaymentContext, payment: Payment): Promise<void> {
  const referenceNumber = payment.attributes.external_reference_number;
  if (payment.attributes.status !== 'paid' || !referenceNumber) return;
  await capture(money, { referenceNumber }, received(money, payment));
}

function received({ log }: PaymentContext, payment: Payment): Received {
  const { amount, currency } = payment.attributes;
  const fee = paymentFee(payment);
  // What we hold of the client's is the amount either way.
  if (fee === null) log.error({ paymentId: payment.id }, 'a payment has no plausible fee: 0 was booked');
  return { paymentId: payment.id, amount, currency, fee: fee ?? 0 };
}

/**
 * Marks the request paid and books the capture, in one transaction and once: of deliveries and polls that come twice
 * or at the same time, the statement lets one through. Money that is not exactly what we asked for moves nothing.
 * Money for a request that was cancelled meanwhile is booked and goes back.
 */
async function capture(money: PaymentContext, claim: Claim, payment: Received): Promise<void> {
  const captured = await money.database.transaction(async (transaction) => {
    const [request] = await transaction
      .update(interactions)
      .set({ paidAt: sql`now()`, paymentId: payment.paymentId, updatedAt: sql`now()` })
      .where(
        and(
          claimCondition(claim),
          isNull(interactions.paidAt),
          gt(interactions.priceCentavos, 0),
          eq(interactions.priceCentavos, payment.amount),
          sql`${payment.currency}::text = 'PHP'`,
        ),
      )
      .returning({ id: interactions.id, cancelledAt: interactions.cancelledAt });
    if (!request) return null;
    await bookCapture(transaction, request.id, payment);
    if (request.cancelledAt) {
      await transaction.insert(refunds).values({ interactionId: request.id, amountCentavos: payment.amount });
      await tasks.refund.enqueue(transaction, { interactionId: request.id });
    } else {
      await notify(transaction, { event: 'paid', interactionId: request.id, to: ['client', 'creator'] });
    }
    return request.id;
  });
  if (captured === null) await logRefusal(money, claim, payment);
  else await announceInteraction(money, captured);
}

/** Books money that was received for a request, in the transaction that marks it paid. Centavos. */
async function bookCapture(
  transaction: Transaction,
  interactionId: string,
  { amount, fee }: { amount: number; fee: number },
): Promise<void> {
  const entries = { [cash]: amount - fee, [fees]: fee, [escrow(interactionId)]: -amount };
  await book(transaction, { kind: 'capture', interactionId, entries });
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
    return log.error(details, 'a payment is not what was asked for: nothing was booked');
  }
  if (request.paymentId && payment.paymentId && request.paymentId !== payment.paymentId) {
    const details = { interactionId: request.id, booked: request.paymentId, second: payment.paymentId };
    log.error(details, 'a request was paid twice: the second payment was not booked');
  }
}
