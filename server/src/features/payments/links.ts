import type { Interaction } from '@tara/contract/interactions/interactions';
import { PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import {
  announceInteraction,
  interactions,
  readInteraction,
  requireInteraction,
} from '../interactions/index.ts';
import { captureLink } from './capture.ts';
import type { PaymentContext } from './provider.ts';

/**
 * Makes the payment link of a request (§7) and announces it to the client. Done again after a crash or a lost answer it
 * gets the same link. Once the provider has forgotten the key, after a day, it makes a second one; the first is then
 * known to nobody, so nobody can pay it.
 */
export async function createLink(context: PaymentContext, interactionId: string): Promise<void> {
  const { database, provider } = context;
  const [request] = await database.select().from(interactions).where(eq(interactions.id, interactionId));
  if (!request || request.priceCentavos === 0) return;
  if (request.linkId !== null || request.paidAt || request.cancelledAt) return;
  const link = await provider.links.create(
    { amount: request.priceCentavos, description: request.planTitle, remarks: request.id },
    `link-${request.id}`,
  );
  const [stored] = await database
    .update(interactions)
    .set({
      linkId: link.id,
      referenceNumber: link.referenceNumber,
      checkoutUrl: link.checkoutUrl,
      webhookId: sql`(select webhook_id from provider_webhooks order by created_at desc limit 1)`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(interactions.id, interactionId), isNull(interactions.linkId)))
    .returning({ id: interactions.id });
  const [current] = await database
    .select({ linkId: interactions.linkId, cancelledAt: interactions.cancelledAt })
    .from(interactions)
    .where(eq(interactions.id, interactionId));
  // Another run stored another link, or the request was cancelled while the provider worked: this one must not be paid.
  if (current?.linkId !== link.id || current.cancelledAt) await provider.links.archive(link.id);
  if (stored) await announceInteraction(context, interactionId);
}

/** Closes the link of a cancelled request. One that was paid at the last moment is booked, and so paid back. */
export async function archiveLink(context: PaymentContext, interactionId: string): Promise<void> {
  const [request] = await context.database
    .select({ linkId: interactions.linkId, cancelledAt: interactions.cancelledAt })
    .from(interactions)
    .where(eq(interactions.id, interactionId));
  if (!request?.linkId || !request.cancelledAt) return;
  await captureLink(context, await context.provider.links.archive(request.linkId));
}

/** Asks the provider whether a request's link is paid, and books it when it is. */
export async function checkLink(context: PaymentContext, interactionId: string): Promise<void> {
  const [request] = await context.database
    .select({ linkId: interactions.linkId })
    .from(interactions)
    .where(and(eq(interactions.id, interactionId), isNull(interactions.paidAt)));
  if (!request?.linkId) return;
  await captureLink(context, await context.provider.links.get(request.linkId));
}

type ProviderError = PaymongoError | PaymongoUnreachable;

const isProviderError = (error: unknown): error is ProviderError =>
  error instanceof PaymongoError || error instanceof PaymongoUnreachable;

/**
 * Asks the provider now, for a person on the way back from the checkout. A provider that is away changes nothing: the
 * person sees the state as we know it, and the reconciler finds the payment. A link that could not be created is created.
 * @throws Problem `interaction_not_found`; `payment_link_failed` with the provider's reason when there is still no link
 * (§8).
 */
export async function checkPayment(
  context: PaymentContext,
  viewer: Viewer,
  id: string,
): Promise<Interaction> {
  await requireInteraction(context.database, viewer, id);
  try {
    await createLink(context, id);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    context.log.warn({ err: error, interactionId: id }, 'the payment link could not be created');
    const reason = error instanceof PaymongoError ? error.errors[0]?.detail : undefined;
    throw new Problem('payment_link_failed', { text: reason, cause: error });
  }
  try {
    await checkLink(context, id);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    context.log.warn({ err: error, interactionId: id }, 'the payment could not be checked');
  }
  return readInteraction(context.database, viewer, id);
}
