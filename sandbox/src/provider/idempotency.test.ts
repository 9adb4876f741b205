import { expect, it } from 'vitest';
import { card, refusal, startProvider } from './testing/provider.ts';

const order = { amount: 20_000, description: 'Tea' };

it('makes one link and one refund of calls with one key', async () => {
  const { client, submit } = await startProvider({ pendingMs: 60_000 });
  const links = await Promise.all([1, 2, 3].map(() => client.links.create(order, 'link-1')));
  expect(new Set(links.map(({ id }) => id)).size).toBe(1);
  await submit(`/checkout/${links[0]?.id}/card`, card('5555444444444457'));
  const [payment] = (await client.payments.list()).items;
  const refund = { amount: 10_000, payment_id: payment?.id ?? '', reason: 'others' as const };
  const first = await client.refunds.create(refund, 'refund-1');
  expect((await client.refunds.create(refund, 'refund-1')).id).toBe(first.id);
  expect((await client.payments.get(refund.payment_id)).attributes.refunds).toHaveLength(1);
});

it('refuses a key with other content or for another call', async () => {
  const { client } = await startProvider();
  const link = await client.links.create(order, 'key');
  const other = await refusal(client.links.create({ ...order, amount: 30_000 }, 'key'));
  expect(other).toMatchObject({ status: 400, errors: [{ code: 'idempotency_key_mismatch' }] });
  const intent = { amount: 20_000, currency: 'PHP', payment_method_allowed: ['card'] };
  expect(await refusal(client.paymentIntents.create(intent, 'key'))).toMatchObject({ status: 400 });
  expect((await client.links.create(order, 'key')).id).toBe(link.id);
  expect(await refusal(client.links.create(order, 'k'.repeat(256)))).toMatchObject({ status: 400 });
});

it('stores no refusal of parameters, but repeats the other refusals', async () => {
  const { client, submit } = await startProvider();
  expect(await refusal(client.links.create({ ...order, amount: 1 }, 'key'))).toMatchObject({ status: 400 });
  expect((await client.links.create(order, 'key')).amount).toBe(20_000);

  const redirect = { success: 'https://example.com/yes', failed: 'https://example.com/no' };
  const source = await client.sources.create({ amount: 10_000, currency: 'PHP', type: 'gcash', redirect });
  const charge = { amount: 10_000, currency: 'PHP', source: { id: source.id, type: 'source' as const } };
  const early = { status: 400, errors: [{ code: 'resource_not_chargeable_state' }] };
  expect(await refusal(client.payments.create(charge, 'charge'))).toMatchObject(early);
  await submit(`/authorize/${source.id}`, { decision: 'authorize' });
  expect(await refusal(client.payments.create(charge, 'charge'))).toMatchObject(early);
  expect((await client.payments.create(charge, 'charge-2')).attributes.status).toBe('paid');
});
