import type { Interaction } from '@tara/contract/interactions';
import { PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { readInteraction, requireInteraction } from '../interactions/index.ts';
import { checkLink, createLink } from './links.ts';
import type { PaymentContext } from './provider.ts';

type ProviderError = PaymongoError | PaymongoUnreachable;

const isProviderError = (error: unknown): error is ProviderError =>
  error instanceof PaymongoError || error instanceof PaymongoUnreachable;

/**
 * Asks the provider now, for a person on the way back from the checkout. A provider that is away changes nothing:
 * the person sees the state as we know it, and the reconciler asks again. A link that could not be made is made.
 * @throws Problem `interaction_not_found`; `payment_link_failed` with the provider's reason when there is still no link (§8).
 */
export async function checkPayment(money: PaymentContext, viewer: Viewer, id: string): Promise<Interaction> {
  await requireInteraction(money.database, viewer, id);
  try {
    await createLink(money, id);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    money.log.warn({ err: error, interactionId: id }, 'the payment link could not be made');
    const reason = error instanceof PaymongoError ? error.errors[0]?.detail : undefined;
    throw new Problem('payment_link_failed', { text: reason, cause: error });
  }
  try {
    await checkLink(money, id);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    money.log.warn({ err: error, interactionId: id }, 'the payment could not be checked');
  }
  return readInteraction(money.database, viewer, id);
}
