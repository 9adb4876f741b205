import { z } from 'zod';
import { Seconds } from './envelope.ts';

/** What a delivery carries. `attributes.data` is the resource as it was when the event happened. */
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

/** Events a webhook can be registered for, as far as this client's resources go. */
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

/** The transfer a `transfer.outward.*` event is about: some carry the transfer, some its wallet entry. */
export function transferIdOf(event: WebhookEvent): string {
  const { id, attributes } = event.data.attributes.data;
  const named = attributes?.transfer_id;
  return typeof named === 'string' ? named : id;
}
