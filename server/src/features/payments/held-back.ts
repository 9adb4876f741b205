import type { Payment } from '@tara/paymongo';
import { and, eq } from 'drizzle-orm';
import type { PaymentContext } from './provider.ts';
import { chargebacks } from './tables.ts';

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
  if (attributes.disputed !== true) return false;
  const isLost = and(eq(chargebacks.paymentId, id), eq(chargebacks.state, 'lost'));
  return (await database.$count(chargebacks, isLost)) === 0;
}
