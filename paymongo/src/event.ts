import { z } from 'zod';
import { Seconds } from './envelope.ts';

/**
 * The body of a delivery. `attributes.data` is the resource at the time of the event. Only what an event cannot be
 * recognised without is required: the provider leaves out some of the other fields.
 */
export const WebhookEvent = z.looseObject({
  data: z.looseObject({
    id: z.string().min(1),
    attributes: z.looseObject({
      type: z.string(),
      livemode: z.boolean().nullish(),
      data: z.looseObject({
        id: z.string().nullish(),
        type: z.string().nullish(),
        attributes: z.record(z.string(), z.unknown()).nullish(),
      }),
      previous_data: z.unknown().optional(),
      created_at: Seconds.nullish(),
    }),
  }),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** Events of this client's resources for which a webhook can be registered. */
export const WEBHOOK_EVENTS = [
  'payment.paid',
  'payment.failed',
  'payment.refunded',
  'payment.refund.updated',
  'source.chargeable',
  'link.payment.paid',
  'transfer.outward.successful',
  'transfer.outward.failed',
  'dispute.created',
  'dispute.resolved',
] as const;

/**
 * The transfer id of a `transfer.outward.*` event, which contains either the transfer or its wallet entry; null when
 * it names none.
 */
export function eventTransferId(event: WebhookEvent): string | null {
  const { id, attributes } = event.data.attributes.data;
  const named = attributes?.transfer_id;
  return typeof named === 'string' ? named : (id ?? null);
}
