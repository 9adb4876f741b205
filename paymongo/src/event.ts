import { z } from 'zod';
import { Seconds } from './envelope.ts';

/** The body of a delivery. `attributes.data` is the resource at the time of the event. */
export const WebhookEvent = z.looseObject({
  data: z.looseObject({
    id: z.string().min(1),
    type: z.literal('event'),
    attributes: z.looseObject({
      type: z.string(),
      livemode: z.boolean(),
      data: z.looseObject({
        id: z.string(),
        type: z.string().optional(),
        attributes: z.record(z.string(), z.unknown()).optional(),
      }),
      previous_data: z.unknown(),
      created_at: Seconds,
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
] as const;

/** The transfer id of a `transfer.outward.*` event, which contains either the transfer or its wallet entry. */
export function eventTransferId(event: WebhookEvent): string {
  const { id, attributes } = event.data.attributes.data;
  const named = attributes?.transfer_id;
  return typeof named === 'string' ? named : id;
}
