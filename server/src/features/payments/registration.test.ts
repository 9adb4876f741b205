import { type Paymongo, PaymongoUnreachable, WEBHOOK_EVENTS, type Webhook } from '@tara/paymongo';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import type { PaymentContext } from './provider.ts';
import { registerWebhook } from './registration.ts';
import { providerWebhooks } from './tables.ts';

let addresses = 0;

const test = paymentTest
  .extend('url', () => `https://tara.test/${++addresses}/webhook`)
  .extend(
    'webhooks',
    ({ fixture, url }) =>
      (): Promise<Webhook[]> =>
        fixture.provider.client.webhooks.list({ url }),
  )
  .extend(
    'secret',
    ({ fixture, url }) =>
      async () =>
        (await fixture.database.select().from(providerWebhooks).where(eq(providerWebhooks.url, url)))[0]
          ?.secret,
  )
  /** Registers at a provider that behaves otherwise in some calls. */
  .extend('registerAt', ({ fixture, url }) => (changes: Partial<Paymongo['webhooks']>) => {
    const { client } = fixture.provider;
    const provider = { ...client, webhooks: { ...client.webhooks, ...changes } };
    return registerWebhook({ ...fixture.context, provider }, url);
  });

const withoutSecret = (webhook: Webhook): Webhook => ({
  ...webhook,
  attributes: { ...webhook.attributes, secret_key: undefined },
});

describe('the webhook', () => {
  test('is registered once for the events of the specification, however often the server starts (§7-provider-request-webhook)', async ({
    fixture,
    url,
    webhooks,
  }) => {
    await registerWebhook(fixture.context, url);
    await registerWebhook(fixture.context, url);
    const [registered, ...more] = await webhooks();
    expect(more).toEqual([]);
    const specified = ['payment.failed', 'payment.paid', 'source.chargeable'];
    expect(registered?.attributes.events).toEqual(expect.arrayContaining(specified));
  });

  test('is found among more than one page of others', async ({ fixture, url, webhooks }) => {
    await registerWebhook(fixture.context, url);
    const { client } = fixture.provider;
    for (let other = 0; other < 101; other++) {
      await client.webhooks.create({ url: `${url}/other/${other}`, events: ['payment.paid'] });
    }
    expect((await client.webhooks.list()).length).toBeGreaterThan(101);
    await registerWebhook(fixture.context, url);
    expect(await webhooks()).toHaveLength(1);
  });

  test('is registered with the provider’s own service for an address with https alone', async ({
    fixture,
    url,
  }) => {
    const payMongo = { secretKey: fixture.provider.secretKey };
    const config = { ...fixture.context.config, payMongo } as PaymentContext['config'];
    for (const address of [url, url.replace('https:', 'http:')])
      await registerWebhook({ ...fixture.context, config }, address);
    const registered = await fixture.provider.client.webhooks.list();
    const urls = registered.map(({ attributes }) => attributes.url);
    expect(urls.filter((address) => address.endsWith(url.slice('https:'.length)))).toEqual([url]);
  });

  test('is enabled again when the provider disabled it', async ({ fixture, url, webhooks }) => {
    await registerWebhook(fixture.context, url);
    const [webhook] = await webhooks();
    await fixture.provider.client.webhooks.disable(webhook?.id ?? '');
    await registerWebhook(fixture.context, url);
    expect((await webhooks())[0]?.attributes.status).toBe('enabled');
  });

  test.for([['dispute.'], ['transfer.'], ['dispute.', 'transfer.']])(
    'is registered for the events that the provider knows, and for %j once it knows them',
    async (refused, { fixture, url, webhooks }) => {
      await fixture.provider.control('/settings', { refused_events: refused });
      await registerWebhook(fixture.context, url);
      await registerWebhook(fixture.context, url);
      const known = WEBHOOK_EVENTS.filter((event) => !refused.some((name) => event.startsWith(name)));
      expect((await webhooks())[0]?.attributes.events).toEqual(known);
      await fixture.provider.control('/settings', { refused_events: [] });
      await registerWebhook(fixture.context, url);
      expect((await webhooks())[0]?.attributes.events).toEqual([...WEBHOOK_EVENTS]);
    },
  );

  test('has its secret from its creation when later replies lack it', async ({
    fixture,
    registerAt,
    secret,
  }) => {
    const { list } = fixture.provider.client.webhooks;
    await registerAt({});
    const first = await secret();
    expect(first).toMatch(/^whsk_/);
    await registerAt({ list: async (query) => (await list(query)).map(withoutSecret) });
    expect(await secret()).toBe(first);
  });

  test('gets its secret although the reply to its creation was lost', async ({
    fixture,
    url,
    registerAt,
    secret,
  }) => {
    const { create, list } = fixture.provider.client.webhooks;
    let times = 0;
    const lost = registerAt({
      create: async (webhook, key) => {
        times++;
        await create(webhook, key);
        throw new PaymongoUnreachable('timeout', 'POST /v1/webhooks');
      },
    });
    await expect(lost).rejects.toThrow();
    // It is not tried with fewer events.
    expect(times).toBe(1);
    expect(await secret()).toBeUndefined();
    const [webhook] = await list({ url });
    await registerAt({ list: async (query) => (await list(query)).map(withoutSecret) });
    expect(await secret()).toBe(webhook?.attributes.secret_key);
  });

  test('whose secret is not known is stored without a wrong one', async ({
    fixture,
    url,
    registerAt,
    secret,
  }) => {
    const { create, list } = fixture.provider.client.webhooks;
    await create({ url, events: [...WEBHOOK_EVENTS] });
    await registerAt({ list: async (query) => (await list(query)).map(withoutSecret) });
    expect(await secret()).toBeUndefined();
  });
});
