import { type Paymongo, WEBHOOK_EVENTS, type Webhook } from '@tara/paymongo';
import { desc } from 'drizzle-orm';
import type { PaymentContext } from './provider.ts';
import { providerWebhooks } from './tables.ts';

/**
 * Registers our one endpoint at the provider (decisions §2), or finds it registered: a second time is an error there,
 * so it is looked for first. Heals one that was disabled or misses events.
 */
export async function registerWebhook(
  { database, provider, config, log }: PaymentContext,
  url: string,
): Promise<void> {
  // Registered by hand, with its secret in the configuration.
  if (config.payMongo?.webhookSecret !== undefined) return;
  if (config.payMongo && !url.startsWith('https:')) {
    log.warn('the provider delivers only to https: payments are found by asking, until PUBLIC_URL is https');
    return;
  }
  const { webhooks } = provider;
  const existing = (await webhooks.list()).find(({ attributes }) => attributes.url === url);
  const webhook = existing
    ? await heal(webhooks, existing)
    : await webhooks.create({ url, events: [...WEBHOOK_EVENTS] });
  const stored = { webhookId: webhook.id, secret: webhook.attributes.secret_key };
  await database
    .insert(providerWebhooks)
    .values({ url, ...stored })
    .onConflictDoUpdate({ target: providerWebhooks.url, set: stored });
}

async function heal(webhooks: Paymongo['webhooks'], existing: Webhook): Promise<Webhook> {
  const complete = WEBHOOK_EVENTS.every((event) => existing.attributes.events.includes(event));
  const webhook = complete ? existing : await webhooks.update(existing.id, { events: [...WEBHOOK_EVENTS] });
  return webhook.attributes.status === 'disabled' ? webhooks.enable(webhook.id) : webhook;
}

/** What may sign a delivery to us: the secret of each address we registered, newest first. */
export async function signingSecrets({
  database,
  config,
}: Pick<PaymentContext, 'database' | 'config'>): Promise<string[]> {
  if (config.payMongo?.webhookSecret !== undefined) return [config.payMongo.webhookSecret];
  const rows = await database
    .select({ secret: providerWebhooks.secret })
    .from(providerWebhooks)
    .orderBy(desc(providerWebhooks.createdAt))
    .limit(5);
  return rows.map(({ secret }) => secret);
}
