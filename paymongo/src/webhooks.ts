import { z } from 'zod';
import type { Caller } from './caller.ts';
import { one, resource } from './envelope.ts';
import { requireParameters } from './errors.ts';

export const Webhook = resource(
  z.looseObject({
    url: z.string(),
    events: z.array(z.string()),
    /** `whsk_…`: signs every delivery to this url. */
    secret_key: z.string(),
    /** enabled or disabled */
    status: z.string(),
    livemode: z.boolean(),
  }),
);
export type Webhook = z.infer<typeof Webhook>;

export type NewWebhook = { url: string; events: string[] };

export const createWebhooks = (call: Caller) => {
  const webhookPath = (id: string) => `/v1/webhooks/${encodeURIComponent(id)}`;
  return {
    /** A URL can be registered only once; list the webhooks first, because a second call is an error. */
    async create(webhook: NewWebhook): Promise<Webhook> {
      requireParameters({ url: webhook.url, events: webhook.events });
      return (await call.post('/v1/webhooks', one(Webhook), webhook)).data;
    },
    async list(): Promise<Webhook[]> {
      return (await call.get('/v1/webhooks', z.looseObject({ data: z.array(Webhook) }))).data;
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
