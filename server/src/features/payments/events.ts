import { Dispute, eventTransferId, LinkResource, Payment, Refund, WebhookEvent } from '@tara/paymongo';
import { eq, or, sql } from 'drizzle-orm';
import { tasks } from '../../platform/tasks.ts';
import { interactions } from '../interactions/index.ts';
import { captureLink, capturePayment } from './capture.ts';
import { recordChargeback } from './chargebacks.ts';
import type { PaymentContext } from './provider.ts';
import { payouts, providerEvents, refunds } from './tables.ts';

/**
 * Works one kept event. Events come in any order and more than once; each only says where to look, and what it leads
 * to happens once however often it is done.
 */
export async function workEvent(money: PaymentContext, eventId: string): Promise<void> {
  const { database, log } = money;
  const [row] = await database.select().from(providerEvents).where(eq(providerEvents.id, eventId));
  if (!row || row.processedAt) return;
  const event = WebhookEvent.parse(row.payload);
  if (row.type === 'link.payment.paid') {
    await read(LinkResource, event, async (link) => {
      // Events of the newer links name the link only.
      await captureLink(money, link.payments.length > 0 ? link : await money.provider.links.get(link.id));
    });
  } else if (row.type === 'payment.paid') {
    await read(Payment, event, (payment) => capturePayment(money, payment));
  } else if (row.type === 'payment.refunded') {
    await read(Payment, event, (payment) => lookAtRefund(money, payment.id));
  } else if (row.type === 'payment.refund.updated') {
    await read(Refund, event, (refund) => lookAtRefund(money, refund.attributes.payment_id));
  } else if (row.type.startsWith('dispute.')) {
    await read(Dispute, event, (dispute) => recordChargeback(money, dispute));
  } else if (row.type.startsWith('transfer.outward.')) {
    await lookAtPayout(money, event);
  } else {
    log.debug({ eventId, type: row.type }, 'an event that changes nothing here');
  }
  await database
    .update(providerEvents)
    .set({ processedAt: sql`now()` })
    .where(eq(providerEvents.id, eventId));

  /** An event whose resource cannot be read is told of and let go: the reconciler asks for the truth anyway. */
  async function read<T>(
    schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } },
    from: WebhookEvent,
    work: (resource: T) => Promise<void>,
  ): Promise<void> {
    const resource = schema.safeParse(from.data.attributes.data);
    if (resource.success) return work(resource.data);
    log.error({ eventId, err: resource.error }, 'an event could not be read');
  }
}

async function lookAtRefund({ database }: PaymentContext, paymentId: string): Promise<void> {
  // A request that was paid twice has two.
  const rows = await database
    .select({ refundId: refunds.id })
    .from(refunds)
    .leftJoin(interactions, eq(interactions.id, refunds.interactionId))
    .where(or(eq(refunds.paymentId, paymentId), eq(interactions.paymentId, paymentId)));
  for (const job of rows) await tasks.refund.enqueue(database, job);
}

async function lookAtPayout({ database }: PaymentContext, event: WebhookEvent): Promise<void> {
  const transferId = eventTransferId(event);
  const reference = event.data.attributes.data.attributes?.reference_number;
  const [payout] = await database
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      or(
        eq(payouts.transferId, transferId ?? ''),
        // Its answer may have been lost, so that its id is not known yet.
        eq(payouts.id, typeof reference === 'string' ? reference : ''),
      ),
    );
  if (payout) await tasks.payout.enqueue(database, { payoutId: payout.id });
}
