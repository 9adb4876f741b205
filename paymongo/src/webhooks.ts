import { z } from 'zod';
import type { Caller } from './caller.ts';
import { many, one, readAll, resource } from './envelope.ts';
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

export const createWebhooks = (call: Caller) => {
  const webhookPath = (id: string) => `/v1/webhooks/${encodeURIComponent(id)}`;
  return {
    /** A URL can be registered only once; list the webhooks first, because a second call is an error. */
    async create(webhook: NewWebhook, idempotencyKey?: string): Promise<Webhook> {
      requireParameters({ url: webhook.url, events: webhook.events });
      return (await call.post('/v1/webhooks', one(Webhook), webhook, idempotencyKey)).data;
    },
    /** Every webhook, or those with one url. */
    async list({ url }: { url?: string } = {}): Promise<Webhook[]> {
      const webhooks = await readAll('GET /v1/webhooks', async (query) => {
        const page = await call.get('/v1/webhooks', many(Webhook), { url, ...query });
        return { items: page.data, hasMore: page.has_more };
      });
      // The filter is not documented everywhere.
      return webhooks.filter(({ attributes }) => url === undefined || attributes.url === url);
    },
    async get(id: string): Promise<Webhook> {
      requireParameters({ id });
      return (await call.get(webhookPath(id), one(Webhook))).data;
    },
    async update(id: string, webhook: Partial<NewWebhook>): Promise<Webhook> {
      requireParameters({ id });
      return (await call.put(webhookPath(id), one(Webhook), webhook)).data;
    },
    async enable(id: string): Promise<Webhook> {
      requireParameters({ id });
      return (await call.post(`${webhookPath(id)}/enable`, one(Webhook))).data;
    },
    /** Pending deliveries fail, and are not repeated after `enable`. */
    async disable(id: string): Promise<Webhook> {
      requireParameters({ id });
      return (await call.post(`${webhookPath(id)}/disable`, one(Webhook))).data;
    },
  };
};
