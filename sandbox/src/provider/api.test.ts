import { nowMs } from '@tara/contract/clock';
import { createPaymongo } from '@tara/paymongo';
import { describe, expect, it } from 'vitest';
import { realClock } from './settings.ts';
import { card, refusal, startProvider, startReceiver, until } from './testing/provider.ts';
import { SECRET_KEY } from './testing/server.ts';

describe('every call', () => {
  it('needs the secret key', async () => {
    const { address } = await startProvider();
    const stranger = createPaymongo({ secretKey: 'sk_test_other', baseUrl: address });
    expect((await refusal(stranger.payments.list())).status).toBe(401);
    const anonymous = await fetch(`${address}/v2/wallets`);
    expect(anonymous.status).toBe(401);
    expect(await anonymous.json()).toMatchObject({ errors: [{ code: 'api_key_required' }] });
  });

  it('reports all mistakes in one reply, in the provider’s format', async () => {
    const { client } = await startProvider();
    const error = await refusal(client.links.create({ amount: 99, description: 'x'.repeat(300) }));
    expect(error.status).toBe(400);
    expect(error.errors.map(({ code, source }) => [code, source?.attribute])).toEqual([
      ['parameter_below_minimum', 'amount'],
      ['parameter_above_maximum', 'description'],
    ]);
  });

  it.each(['not json', '{}', '{"data":{}}', '{"data":{"attributes":[]}}', '[]', 'null'])(
    'answers 400 to the body %s',
    async (body) => {
      const { address } = await startProvider();
      const authorization = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`;
      const headers = { authorization, 'content-type': 'application/json' };
      for (const path of ['/v1/links', '/v1/refunds', '/v2/batch_transfers']) {
        const answer = await fetch(address + path, { method: 'POST', headers, body });
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({ errors: [{ code: expect.any(String) }] });
      }
    },
  );

  it('answers 404 for an unknown resource', async () => {
    const { client } = await startProvider();
    const error = await refusal(client.links.get('link_nothing'));
    expect(error.status).toBe(404);
    expect(error.has('resource_not_found')).toBe(true);
    expect(await client.links.findByReference('nothing')).toBeNull();
  });

  it('pages lists by cursor and refuses an invalid limit (§7-provider-payments)', async () => {
    const { client, submit } = await startProvider();
    for (const amount of [10_000, 20_000, 30_000]) {
      const link = await client.links.create({ amount, description: 'Tea' });
      await submit(`/checkout/${link.id}/card`, card('5555444444444457'));
    }
    const first = await client.payments.list({ limit: 2 });
    expect(first.items.map(({ attributes }) => attributes.amount)).toEqual([30_000, 20_000]);
    expect(first.hasMore).toBe(true);
    const rest = await client.payments.list({ limit: 2, after: first.items[1]?.id });
    expect(rest.items.map(({ attributes }) => attributes.amount)).toEqual([10_000]);
    expect(rest.hasMore).toBe(false);
    expect((await refusal(client.payments.list({ limit: 101 }))).status).toBe(400);
  });
});

describe('webhooks', () => {
  it('are registered once per url, read, changed, disabled and enabled (§7-provider-webhooks)', async () => {
    const { client, address } = await startProvider();
    const order = { url: 'https://example.com/hook', events: ['payment.paid'] };
    const webhook = await client.webhooks.create(order);
    expect((await refusal(client.webhooks.create(order))).has('resource_exists')).toBe(true);
    expect(
      (await client.webhooks.update(webhook.id, { events: ['payment.failed'] })).attributes,
    ).toMatchObject({
      url: order.url,
      events: ['payment.failed'],
    });
    expect((await client.webhooks.disable(webhook.id)).attributes).toMatchObject({
      status: 'disabled',
      disabled_reason: 'disabled_by_merchant',
    });
    expect((await client.webhooks.get(webhook.id)).attributes).toMatchObject({
      url: order.url,
      status: 'disabled',
    });
    expect((await client.webhooks.list()).map(({ id }) => id)).toContain(webhook.id);
    expect((await client.webhooks.enable(webhook.id)).attributes).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
    });
    const events = ['checkout_session.payment.paid', 'qrph.expired', 'subscription.invoice.paid'];
    expect((await client.webhooks.update(webhook.id, { events })).attributes.events).toEqual(events);
    const authorization = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`;
    const removal = await fetch(`${address}/v1/webhooks/${webhook.id}`, {
      method: 'DELETE',
      headers: { authorization },
    });
    expect(removal.status).toBe(204);
    expect((await refusal(client.webhooks.get(webhook.id))).status).toBe(404);
    expect((await refusal(client.webhooks.create({ url: 'nowhere', events: ['x'] }))).errors).toHaveLength(2);
  });
});

describe('links', () => {
  it('are read by id and reference number, archived and unarchived (§7-provider-links)', async () => {
    const { client } = await startProvider();
    const link = await client.links.create({ amount: 10_000, description: 'Tea', remarks: 'Two cups' });
    expect(link).toMatchObject({ amount: 10_000, description: 'Tea', remarks: 'Two cups', status: 'unpaid' });
    expect(await client.links.get(link.id)).toEqual(link);
    expect(await client.links.findByReference(link.referenceNumber)).toEqual(link);
    expect((await client.links.archive(link.id)).archived).toBe(true);
    expect((await client.links.unarchive(link.id)).archived).toBe(false);
  });
});

describe('sources', () => {
  it('become chargeable when the payer authorizes, and are charged once (§7-provider-sources, §7-provider-payments)', async () => {
    const stage = await startProvider();
    const { client, submit, address } = stage;
    const receiver = await startReceiver();
    await receiver.listen(stage, ['source.chargeable', 'payment.paid']);
    const redirect = { success: 'https://example.com/yes', failed: 'https://example.com/no' };
    const about = { description: 'Tea', statement_descriptor: 'TARA', metadata: { order: '7' } };
    const source = await client.sources.create({
      amount: 10_000,
      currency: 'PHP',
      type: 'gcash',
      redirect,
      ...about,
    });
    expect(source.attributes).toMatchObject(about);
    const charge = { amount: 10_000, currency: 'PHP', source: { id: source.id, type: 'source' as const } };
    expect((await refusal(client.payments.create(charge))).status).toBe(400);
    await submit(source.attributes.redirect.checkout_url.slice(address.length), { decision: 'authorize' });
    expect((await client.sources.get(source.id)).attributes.status).toBe('chargeable');
    const payment = await client.payments.create(charge);
    expect((await client.payments.get(payment.id)).attributes).toMatchObject({ status: 'paid', ...about });
    expect((await refusal(client.payments.create(charge))).status).toBe(400);
    await until(() => receiver.received.length === 2);
    expect(receiver.types().toSorted()).toEqual(['payment.paid', 'source.chargeable']);
  });

  it('expire after an hour', async () => {
    const { client, submit, control, address } = await startProvider();
    const redirect = { success: 'https://example.com/yes', failed: 'https://example.com/no' };
    const source = await client.sources.create({ amount: 10_000, currency: 'PHP', type: 'gcash', redirect });
    await control('/clock', { ms: 3_600_000 });
    await until(async () => (await client.sources.get(source.id)).attributes.status === 'expired');
    await submit(source.attributes.redirect.checkout_url.slice(address.length), { decision: 'authorize' });
    expect((await client.sources.get(source.id)).attributes.status).toBe('expired');
  });
});

describe('refunds', () => {
  it('are limited to the payment, emit events, and mark a refunded link', async () => {
    const stage = await startProvider();
    const { client, submit } = stage;
    const receiver = await startReceiver();
    await receiver.listen(stage, ['payment.refunded', 'payment.refund.updated']);
    const link = await client.links.create({ amount: 50_000, description: 'Tea' });
    await submit(`/checkout/${link.id}/card`, card('5555444444444457'));
    const payment_id = (await client.links.get(link.id)).payments[0]?.id ?? '';
    const order = { payment_id, reason: 'requested_by_customer' as const };
    const part = await client.refunds.create({ ...order, amount: 20_000, notes: 'half' });
    expect(part.attributes.status).toBe('pending');
    const second = await refusal(client.refunds.create({ ...order, amount: 30_000 }));
    expect(second.errors[0]?.code).toMatch(/^resource_(pending|processing)_state$/);
    await until(async () => (await client.refunds.get(part.id)).attributes.status === 'succeeded');
    const error = await refusal(client.refunds.create({ ...order, amount: 30_001 }));
    expect(error.has('parameter_above_maximum')).toBe(true);
    await client.refunds.create({ ...order, amount: 30_000 });
    await until(async () => (await client.links.get(link.id)).status === 'refunded');
    expect((await client.refunds.get(part.id)).attributes.status).toBe('succeeded');
    expect((await client.payments.get(payment_id)).attributes.refunds).toHaveLength(2);
    expect((await client.refunds.list({ payment_id })).items).toHaveLength(2);
    expect((await client.refunds.list({ payment_id: 'pay_none' })).items).toEqual([]);
    // pending, processing, succeeded of each, and the payment of each.
    await until(() => receiver.received.length === 8);
    expect(receiver.types().filter((type) => type === 'payment.refund.updated')).toHaveLength(6);
  });

  it('fail by a fault, and can be asked for again', async () => {
    const { client, submit, fault } = await startProvider();
    await fault({ kind: 'fail_refund', times: 1 });
    const link = await client.links.create({ amount: 50_000, description: 'Tea' });
    await submit(`/checkout/${link.id}/card`, card('5555444444444457'));
    const [payment] = (await client.payments.list()).items;
    const order = { amount: 50_000, payment_id: payment?.id ?? '', reason: 'others' as const };
    const states = ['failed', 'succeeded'] as const;
    for (const state of states) {
      const { id } = await client.refunds.create(order);
      await until(async () => (await client.refunds.get(id)).attributes.status === state);
    }
  });

  it.each([
    ['4200000000000018', 0, 'resource_failed_state'],
    ['5555444444444457', 61, 'allowed_date_exceeded'],
  ])('of %s are refused after %i days: %s', async (number, days, code) => {
    let now = nowMs();
    const clock = { ...realClock, now: () => now };
    const { client, submit } = await startProvider({ clock });
    const link = await client.links.create({ amount: 50_000, description: 'Tea' });
    await submit(`/checkout/${link.id}/card`, card(number));
    const [payment] = (await client.payments.list()).items;
    now += days * 86_400_000;
    const order = { amount: 50_000, payment_id: payment?.id ?? '', reason: 'others' as const };
    expect((await refusal(client.refunds.create(order))).has(code)).toBe(true);
  });
});
