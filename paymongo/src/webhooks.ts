import { z } from 'zod';
import type { Caller } from './caller.ts';
import { many, readAll, resource, resourcePath, Seconds } from './envelope.ts';
import { requireParameters } from './errors.ts';

export const Webhook = resource(
  z.looseObject({
    url: z.string(),
    events: z.array(z.string()),
    /** `whsk_…`: signs every delivery to this url. Only the reply to `create` is sure to contain it. */
    secret_key: z.string().nullish(),
    /** enabled or disabled */
    status: z.string(),
    /** Why it is disabled, such as `max_retries_exceeded`. */
    disabled_reason: z.string().nullish(),
    livemode: z.boolean().nullish(),
  }),
);
export type Webhook = z.infer<typeof Webhook>;

export type NewWebhook = { url: string; events: string[] };

export const createWebhooks = (call: Caller) => ({
  /** A URL can be registered only once; list the webhooks first, because a second call is an error. */
  async create(webhook: NewWebhook, idempotencyKey?: string): Promise<Webhook> {
    requireParameters({ url: webhook.url, events: webhook.events });
    return call.post('/v1/webhooks', Webhook, webhook, idempotencyKey);
  },
  /** Every webhook, or those with one url. */
  async list({ url }: { url?: string } = {}): Promise<Webhook[]> {
    const webhooks = await readAll('GET /v1/webhooks', (query) =>
      call.list('/v1/webhooks', many(Webhook), { url, ...query }),
    );
    // The filter is not documented everywhere.
    return webhooks.filter(({ attributes }) => url === undefined || attributes.url === url);
  },
  async get(id: string): Promise<Webhook> {
    return call.get(resourcePath('/v1/webhooks', id), Webhook);
  },
  async update(id: string, webhook: Partial<NewWebhook>): Promise<Webhook> {
    return call.put(resourcePath('/v1/webhooks', id), Webhook, webhook);
  },
  async enable(id: string): Promise<Webhook> {
    return call.post(`${resourcePath('/v1/webhooks', id)}/enable`, Webhook);
  },
  /** Pending deliveries fail, and are not repeated after `enable`. */
  async disable(id: string): Promise<Webhook> {
    return call.post(`${resourcePath('/v1/webhooks', id)}/disable`, Webhook);
  },
});

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
