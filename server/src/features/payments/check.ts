import type { Interaction } from '@tara/contract/interactions';
import { PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import type { Viewer } from '../../platform/http/viewer.ts';
import { readInteraction, requireInteraction } from '../interactions/index.ts';
import { checkLink } from './links.ts';
import type { PaymentContext } from './provider.ts';

/**
 * Asks the provider now, for a person on the way back from the checkout. A provider that is away changes nothing:
 * the person sees the state as we know it, and the reconciler asks again.
 * @throws Problem `interaction_not_found`.
 */
export async function checkPayment(money: PaymentContext, viewer: Viewer, id: string): Promise<Interaction> {
  await requireInteraction(money.database, viewer, id);
  try {
    await checkLink(money, id);
  } catch (error) {
    if (!(error instanceof PaymongoError || error instanceof PaymongoUnreachable)) throw error;
    money.log.warn({ err: error, interactionId: id }, 'the payment could not be checked');
  }
  return readInteraction(money.database, viewer, id);
}
