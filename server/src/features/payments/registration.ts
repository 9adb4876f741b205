import { createHash } from 'node:crypto';
import { PaymongoError, WEBHOOK_EVENTS, type Webhook } from '@tara/paymongo';
import { and, eq, gt, sql } from 'drizzle-orm';
import { updateAlarms } from './alarms.ts';
import type { PaymentContext } from './provider.ts';
import { moneyAlarms, providerWebhooks } from './tables.ts';

/**
 * Registers our one endpoint at the provider (decisions §2), or finds it registered: a second time is an error there,
 * so it is looked for first. Heals one that was disabled, which admins are notified of, or misses events. The secret is stored when the endpoint is
 * created, because later replies need not contain it.
 */
export async function registerWebhook(context: PaymentContext, url: string): Promise<void> {
  const { database, provider, config, log } = context;
  // Registered by hand, with its secret in the configuration: it is only looked at.
  if (config.payMongo?.webhookSecret !== undefined) {
    const webhooks = await provider.webhooks.list();
    const isEnabled = ({ attributes: { status } }: Webhook) => status === 'enabled';
    // Deliveries are known by the secret: the address may be that of a proxy.
    return noteState(
      context,
      webhooks.find(({ attributes }) => attributes.url === url) ?? webhooks.find(isEnabled),
    );
  }
  if (config.payMongo && !url.startsWith('https:')) {
    log.warn('the provider delivers only to https: payments are found by polling, until PUBLIC_URL is https');
    return;
  }
  const [existing] = await provider.webhooks.list({ url });
  if (existing) await noteState(context, existing);
  const webhook = existing ? await heal(context, existing) : await create(context, url);
  const secret = webhook.attributes.secret_key ?? (await findSecret(context, url, webhook.id));
  if (secret == null) {
    log.error(
      { webhookId: webhook.id },
      'the secret of the webhook is not known: set PAYMONGO_WEBHOOK_SECRET, or delete the webhook at the provider',
    );
    return;
  }
  const stored = { webhookId: webhook.id, secret };
  await database
    .insert(providerWebhooks)
    .values({ url, ...stored })
    .onConflictDoUpdate({ target: providerWebhooks.url, set: stored });
}

const create = (context: PaymentContext, url: string) =>
  withKnownEvents(context, (events) =>
    context.provider.webhooks.create({ url, events }, creationKey(url, events)),
  );

/** The same for the same content, so that a repeated creation gets the first one's reply, with the secret. */
const creationKey = (url: string, events: readonly string[]) =>
  `webhook-${createHash('sha256').update(`${url} ${events}`).digest('hex')}`;

async function heal(context: PaymentContext, existing: Webhook): Promise<Webhook> {
  const { webhooks } = context.provider;
  const webhook = await withKnownEvents(context, async (events) =>
    events.every((event) => existing.attributes.events.includes(event))
      ? existing
      : webhooks.update(existing.id, { events }),
  );
  return webhook.attributes.status === 'disabled' ? webhooks.enable(webhook.id) : webhook;
}

/**
 * Notifies admins once that the provider disabled a webhook, or does not have it any more. The line of the money page stays for a day after it
 * is there and enabled.
 */
const noteState = ({ database, log }: PaymentContext, webhook: Webhook | undefined): Promise<void> =>
  database.transaction((transaction) =>
    updateAlarms(transaction, { log }, 'webhookDisabled', () =>
      webhook?.attributes.status !== 'enabled'
        ? Promise.resolve([{ recordId: webhook?.id ?? '' }])
        : transaction
            .select({ recordId: moneyAlarms.recordId })
            .from(moneyAlarms)
            .where(
              and(
                eq(moneyAlarms.kind, 'webhookDisabled'),
                gt(moneyAlarms.since, sql`now() - interval '1 day'`),
              ),
            ),
    ),
  );

/** The stored secret of a webhook, or the one in the reply to its creation, which may have been lost on its way. */
async function findSecret(
  context: PaymentContext,
  url: string,
  webhookId: string,
): Promise<string | null | undefined> {
  const [stored] = await context.database
    .select()
    .from(providerWebhooks)
    .where(eq(providerWebhooks.url, url));
  if (stored?.webhookId === webhookId) return stored.secret;
  try {
    const created = await create(context, url);
    return created.id === webhookId ? created.attributes.secret_key : null;
  } catch (error) {
    // Its url is taken: the provider has forgotten the creation.
    if (error instanceof PaymongoError && error.status < 500) return null;
    throw error;
  }
}

const without = (...resources: string[]) =>
  WEBHOOK_EVENTS.filter((event) => !resources.some((name) => event.startsWith(`${name}.`)));

/**
 * Ever fewer events: some accounts do not know disputes, those without money out do not know transfers, and one unknown
 * name refuses them all.
 */
const eventSets: readonly (readonly string[])[] = [
  WEBHOOK_EVENTS,
  without('dispute'),
  without('transfer'),
  without('dispute', 'transfer'),
  ['payment.paid', 'payment.failed', 'source.chargeable', 'link.payment.paid'],
];

/** Registers for the events that the provider knows. What the others report is found by asking. */
async function withKnownEvents(
  { log }: PaymentContext,
  register: (events: string[]) => Promise<Webhook>,
): Promise<Webhook> {
  let refusal: unknown;
  for (const events of eventSets) {
    try {
      const webhook = await register([...events]);
      const missing = WEBHOOK_EVENTS.filter((event) => !events.includes(event));
      if (missing.length > 0) log.warn({ missing }, 'the provider does not know some events of the webhook');
      return webhook;
    } catch (error) {
      if (!isAboutEvents(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

const isAboutEvents = (error: unknown) =>
  error instanceof PaymongoError &&
  error.status < 500 &&
  error.errors.some(
    ({ code, detail, source }) =>
      code.startsWith('parameter_') &&
      /events?\b/.test(`${source?.pointer ?? ''} ${source?.attribute ?? ''} ${detail ?? ''}`),
  );
