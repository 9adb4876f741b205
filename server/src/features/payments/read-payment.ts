import type { Payment, Refund } from '@tara/paymongo';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { disputedPaymentText, foreignRefundText, interactions } from '../interactions/index.ts';
import { mayBeAbout } from './chargeback-booking.ts';
import type { PaymentContext } from './provider.ts';
import { lockRequest } from './settle.ts';
import {
  attempts,
  capturedPayments,
  chargebacks,
  disbursementAmounts,
  disbursements,
  unassignedDisputes,
} from './tables.ts';

/**
 * Why nothing of a payment may be sent, to the client or the creator, as the provider shows it now: it is disputed, and no lost dispute
 * that we know says why (it stays shown so after a lost one), or some of it was given back without us. Null while nothing holds it back.
 */
export async function whyHeldBack(
  context: Pick<PaymentContext, 'database'>,
  payment: Payment,
): Promise<string | null> {
  if (payment.attributes.disputed === true && !(await isDisputeOver(context, payment.id)))
    return disputedPaymentText;
  return (await hasForeignRefund(context, payment)) ? foreignRefundText : null;
}

/** What the provider shows as given back of a payment, also on its way; null where it does not say. */
export function shownRefunds(payment: Payment | null): Refund[] | null {
  return payment?.attributes.refunds?.filter(({ attributes: { status } }) => status !== 'failed') ?? null;
}

/**
 * Whether the provider shows anything as given back of a payment beside Tara's refund of it. Tara's is the one that it knows by its name or,
 * while it knows none, one of the amount that it ordered or owes. Read after the payment: an order is stored before it is sent.
 */
async function hasForeignRefund(
  { database }: Pick<PaymentContext, 'database'>,
  payment: Payment,
): Promise<boolean> {
  const shown = shownRefunds(payment) ?? [];
  if (shown.length === 0) return false;
  const ordered = and(
    eq(attempts.disbursementId, disbursements.id),
    eq(attempts.way, 'provider'),
    inArray(attempts.state, ['sent', 'arrived']),
  );
  const [refund] = await database
    .select({
      reference: attempts.reference,
      centavos: sql<number>`coalesce(${attempts.amountCentavos}, ${disbursementAmounts.owedCentavos})::float8`,
    })
    .from(disbursements)
    .innerJoin(disbursementAmounts, eq(disbursementAmounts.id, disbursements.id))
    .leftJoin(attempts, ordered)
    .where(and(eq(disbursements.paymentId, payment.id), eq(disbursements.purpose, 'refund')));
  const own = shown.find(({ id, attributes: { amount } }) =>
    refund?.reference == null ? amount === refund?.centavos : id === refund.reference,
  );
  return shown.some((one) => one !== own);
}

/**
 * Whether a payment is shown as disputed because a card issuer has taken some of it back: none of the disputes that wait for their
 * assignment may be about it.
 */
export async function isDisputeOver(
  { database }: Pick<PaymentContext, 'database'>,
  paymentId: string,
): Promise<boolean> {
  const here = and(eq(chargebacks.paymentId, paymentId), eq(chargebacks.state, 'lost'));
  if ((await database.$count(chargebacks, here)) === 0) return false;
  const waiting = sql`exists (select from ${capturedPayments} where ${capturedPayments.id} = ${paymentId} and ${mayBeAbout})`;
  return (await database.$count(unassignedDisputes, waiting)) === 0;
}

/** The id under which earlier versions booked a payment that its link did not name. */
const unnamedPayment = (interactionId: string) => `link-${interactionId}`;

/** Gives a payment that an earlier version booked without its id the provider's. @returns whether there was one. */
export async function namePayment(
  transaction: Transaction,
  interactionId: string,
  id: string,
): Promise<boolean> {
  await lockRequest(transaction, interactionId);
  const renamed = await transaction
    .update(capturedPayments)
    .set({ id })
    .where(eq(capturedPayments.id, unnamedPayment(interactionId)))
    .returning({ id: capturedPayments.id });
  if (renamed.length === 0) return false;
  await transaction.update(interactions).set({ paymentId: id }).where(eq(interactions.id, interactionId));
  return true;
}

/**
 * A payment as the provider shows it now. One that an earlier version booked without its id is asked of its link, which names
 * it. @throws Error while it does not.
 */
export async function readPayment(
  { database, provider }: Pick<PaymentContext, 'database' | 'provider'>,
  { paymentId, interactionId }: { paymentId: string; interactionId: string },
): Promise<Payment> {
  if (paymentId !== unnamedPayment(interactionId)) return provider.payments.get(paymentId);
  const [request] = await database
    .select({ linkId: interactions.linkId })
    .from(interactions)
    .where(eq(interactions.id, interactionId));
  const link = request?.linkId ? await provider.links.get(request.linkId) : null;
  const payment = link?.payments.find(({ attributes }) => attributes.status === 'paid');
  if (!payment) throw new Error('the link does not name its payment');
  await database.transaction((transaction) => namePayment(transaction, interactionId, payment.id));
  return payment;
}
