import type { Payment } from '@tara/paymongo';
import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { interactions } from '../interactions/index.ts';
import type { PaymentContext } from './provider.ts';
import { lockRequest } from './settle.ts';
import { capturedPayments, chargebacks } from './tables.ts';

/** Why nothing of a payment is sent, as admins and the receiver read it. */
export const heldBackText = 'The card issuer disputes the payment.';

/**
 * Whether nothing of a payment may be sent, to the client or the creator: the provider shows it as disputed, and we know of
 * no dispute of it that is lost. It stays shown so after a lost one.
 */
export async function isHeldBack(
  { database }: Pick<PaymentContext, 'database'>,
  { id, attributes }: Payment,
): Promise<boolean> {
  return attributes.disputed === true && !(await isChargedBack({ database }, id));
}

/** Whether the card issuer has taken back some of a payment. */
export async function isChargedBack(
  { database }: Pick<PaymentContext, 'database'>,
  paymentId: string,
): Promise<boolean> {
  const here = and(eq(chargebacks.paymentId, paymentId), eq(chargebacks.state, 'lost'));
  return (await database.$count(chargebacks, here)) > 0;
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
