import { isOutcomeUnknown, PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { expect, it } from 'vitest';
import { startProvider } from './testing/provider.ts';

const ORDER = { amount: 20_000, description: 'Tea' };

it('answers 500 for the path as often as configured, without doing the work', async () => {
  const { client, fault } = await startProvider();
  await fault({ kind: 'answer_500', path: '/v1/links', times: 1 });
  expect(await client.webhooks.list()).toEqual([]);
  const error = await client.links.create(ORDER).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(PaymongoError);
  expect(error).toMatchObject({ status: 500 });
  expect((await client.links.create(ORDER)).status).toBe('unpaid');
});

it('answers 429 in plain text, without doing the work', async () => {
  const { client, fault } = await startProvider();
  await fault({ kind: 'answer_429', path: '/v1/links', times: 1, delay_ms: 900 });
  const create = () => client.links.create(ORDER).catch((thrown) => thrown);
  const error = await create();
  expect(error).toMatchObject({ status: 429, errors: [], body: 'Too many requests', retryAfterMs: 1000 });
  expect(isOutcomeUnknown(error)).toBe(false);
  await expect.poll(async () => (await create()).status, { timeout: 5000 }).toBe('unpaid');
});

it('answers 409 as for a key that is in use', async () => {
  const { client, fault } = await startProvider();
  await fault({ kind: 'answer_409', times: 1 });
  const error = await client.links.create(ORDER, 'key').catch((thrown) => thrown);
  expect(error).toMatchObject({ status: 409, errors: [{ code: 'idempotency_in_progress' }] });
  expect(isOutcomeUnknown(error)).toBe(true);
});

it('hangs until the client gives up', async () => {
  const { client, fault } = await startProvider({ clientTimeoutMs: 100 });
  await fault({ kind: 'hang', path: '/v1/links', times: 1 });
  const error = await client.links.create(ORDER).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(PaymongoUnreachable);
  expect(error).toMatchObject({ reason: 'timeout' });
});

it('does the work and loses the reply; the same key then returns the one transfer', async () => {
  const { client, fault } = await startProvider();
  await fault({ kind: 'lose_answer', path: '/v2/batch_transfers', times: 1 });
  const account = { number: '09171234567', name: 'Ana', bic: 'GXCHPHM2XXX' };
  const order = {
    amount: 45_000,
    currency: 'PHP',
    provider: 'instapay',
    source_account: account,
    destination_account: account,
    reference_number: 'out-1',
  } as const;
  const error = await client.transfers.create(order, 'key-1').catch((thrown) => thrown);
  expect(error).toBeInstanceOf(PaymongoUnreachable);
  expect(isOutcomeUnknown(error)).toBe(true);
  const transfers = await client.transfers.findByReference('out-1');
  const again = await client.transfers.create(order, 'key-1');
  expect(transfers).toHaveLength(1);
  expect(again.id).toBe(transfers[0]?.id);
  expect((await client.transfers.list()).items).toHaveLength(1);
});

it('lists and clears faults, and names an invalid field', async () => {
  const { address, fault } = await startProvider();
  await fault({ kind: 'hang', path: '/v1', times: 2 });
  expect(await (await fetch(`${address}/faults`)).json()).toMatchObject({
    data: [{ kind: 'hang', path: '/v1', times: 2, used: 0 }],
  });
  expect((await fetch(`${address}/faults`, { method: 'DELETE' })).status).toBe(204);
  expect(await (await fetch(`${address}/faults`)).json()).toEqual({ data: [] });
  await expect(fault({ kind: 'explode' })).rejects.toThrow('kind');
  const form = { kind: 'drop_deliveries', times: '', path: '', event: '', delay_ms: '' };
  const posted = await fetch(`${address}/faults`, { method: 'POST', body: new URLSearchParams(form) });
  expect(posted.status).toBe(200);
  expect(await posted.text()).toContain('drop deliveries');
});
