import { defaultAccount, eventTransferId, PaymongoError, type Transfer } from '@tara/paymongo';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  json,
  newFolder,
  type StartedProvider,
  startProvider,
  startReceiver,
  until,
} from './testing/provider.ts';
import { SECRET_KEY } from './testing/server.ts';

const order = async ({ client }: StartedProvider, number = '09171234567') => {
  const source_account = defaultAccount(await client.wallets.list());
  if (!source_account) throw new Error('no wallet account');
  return {
    amount: 45_000,
    currency: 'PHP',
    provider: 'instapay' as const,
    source_account,
    destination_account: { number, name: 'Ana Cruz', bic: 'GXCHPHM2XXX' },
    reference_number: 'payout-1',
  };
};

it('is pending at first, then succeeds and emits its event', async () => {
  const stage = await startProvider();
  const receiver = await startReceiver();
  await receiver.listen(stage);
  const sent = await stage.client.transfers.create(await order(stage), 'key');
  expect(sent).toMatchObject({ status: 'pending', amount: 45_000, fee: 1_000, reference_number: 'payout-1' });
  const done = await until(async () => {
    const now = await stage.client.transfers.get(sent.id);
    return now.status === 'pending' ? null : now;
  });
  expect(done.status).toBe('succeeded');
  await until(() => receiver.received.length === 1);
  expect(receiver.types()).toEqual(['transfer.outward.successful']);
  expect(receiver.received.map(({ event }) => eventTransferId(event))).toEqual([sent.id]);
  const [wallet] = await stage.client.wallets.list();
  expect(wallet?.balance?.available).toBe(10_000_000_000 - 46_000);
});

it('fails at once from an account that is not ours, and its batch is read', async () => {
  const stage = await startProvider();
  const input = await order(stage);
  const source_account = { ...input.source_account, number: '123' };
  const failed = await stage.client.transfers.create({ ...input, source_account }, 'key');
  expect(failed).toMatchObject({ status: 'failed', fee: 0 });
  expect(failed.provider_error_message).toBe('failed to get first source account');
  const batch = await stage.client.transfers.getBatch(failed.batch_transfer_id ?? '');
  expect(batch.map(({ id }) => id)).toEqual([failed.id]);
});

it('calls back its address, once and unsigned', async () => {
  const stage = await startProvider();
  const bodies: unknown[] = [];
  const server = Fastify({ forceCloseConnections: true });
  onTestFinished(() => server.close());
  server.post('/callback', async ({ headers, body }) => {
    bodies.push({ signature: headers['paymongo-signature'], body });
    return {};
  });
  const callback_url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/callback`;
  const sent = await stage.client.transfers.create({ ...(await order(stage)), callback_url }, 'key');
  await until(() => bodies.length === 1);
  const attributes = { transfer_id: sent.id, status: 'succeeded', reference_number: 'payout-1' };
  expect(bodies).toMatchObject([
    { signature: undefined, body: { data: { type: 'wallet_transaction', attributes } } },
  ]);
});

const WalletList = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

it('returns account and balance only when they are requested', async () => {
  const { address } = await startProvider();
  const authorization = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`;
  const wallet = async (query: string) =>
    (await json(fetch(`${address}/v2/wallets${query}`, { headers: { authorization } }), WalletList)).data[0];
  const plain = await wallet('');
  expect(plain).toMatchObject({ is_default: true, status: 'activated', merchant_id: expect.any(String) });
  expect(Object.keys(plain ?? {})).not.toEqual(expect.arrayContaining(['account']));
  expect(Object.keys((await wallet('?fields=account,balance')) ?? {})).toEqual(Object.keys(plain ?? {}));
  expect(await wallet('?fields=account&fields=balance')).toMatchObject({
    account: { account_number: expect.any(String) },
    balance: { available: expect.any(Number) },
  });
});

it('fails for the provider’s failing test accounts, with the reason', async () => {
  const stage = await startProvider();
  const sent = await stage.client.transfers.create(await order(stage, '999999990003'), 'key');
  const done = await until(async () => {
    const now = await stage.client.transfers.get(sent.id);
    return now.status === 'failed' ? now : null;
  });
  expect(done.provider_error_code).toBe('account_not_found');
});

it('ends only at the test accounts when the account is in test mode', async () => {
  const stage = await startProvider({ settings: { test_accounts_only: true } });
  const numbers = ['09171234567', '999999990001', '999999990002'];
  const sent: Transfer[] = [];
  for (const number of numbers) {
    const reference_number = `payout-${number}`;
    sent.push(
      await stage.client.transfers.create({ ...(await order(stage, number)), reference_number }, number),
    );
  }
  const states = async () =>
    Promise.all(sent.map(async ({ id }) => (await stage.client.transfers.get(id)).status));
  await until(async () => (await states()).at(-1) === 'failed');
  expect(await states()).toEqual(['pending', 'succeeded', 'failed']);
});

it('is created once per key, by concurrent calls and across a restart', async () => {
  const folder = newFolder();
  const first = await startProvider({ folder, pendingMs: 60_000 });
  const input = await order(first);
  const transfers = await Promise.all([1, 2, 3].map(() => first.client.transfers.create(input, 'key')));
  await first.stop();
  const second = await startProvider({ folder });
  const again = await second.client.transfers.create(input, 'key');
  expect(new Set([...transfers, again].map(({ id }) => id)).size).toBe(1);
  const other = await second.client.transfers.create(input, 'another key');
  expect(other.id).not.toBe(again.id);
  expect(await second.client.transfers.findByReference('payout-1')).toHaveLength(2);
  expect(await second.client.transfers.findByReference('payout-2')).toEqual([]);
});

it('fails at once beyond the balance, and costs the others nothing', async () => {
  const stage = await startProvider({ pendingMs: 60_000 });
  const input = { ...(await order(stage)), provider: 'pesonet' as const, amount: 1_000_000_000 };
  for (let index = 0; index < 9; index++) await stage.client.transfers.create(input, `key-${index}`);
  const failed = await stage.client.transfers.create(input, 'key-9');
  expect(failed).toMatchObject({ status: 'failed', fee: 0 });
  expect(failed.provider_error_message).toContain('source_account_balance: insufficient');
  const [wallet] = await stage.client.wallets.list();
  expect(wallet?.balance?.available).toBe(1_000_000_000 - 9_000);
  expect((await stage.client.transfers.create({ ...input, amount: 10_000 }, 'key-10')).status).toBe(
    'pending',
  );
});

it('is answered 201', async () => {
  const stage = await startProvider();
  const authorization = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`;
  const answer = await fetch(`${stage.address}/v2/batch_transfers`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ transfers: [await order(stage)] }),
  });
  expect(answer.status).toBe(201);
});

it('is refused above the limit of its rail', async () => {
  const stage = await startProvider();
  const input = { ...(await order(stage)), amount: 5_000_001 };
  const error = await stage.client.transfers.create(input, 'key').catch((thrown) => thrown);
  expect(error).toBeInstanceOf(PaymongoError);
  expect(error.errors[0]).toMatchObject({
    code: 'parameter_above_maximum',
    source: { pointer: 'transfers[0].amount', attribute: 'amount' },
  });
});

it('lists GCash among the receiving institutions', async () => {
  const { client } = await startProvider();
  expect(await client.transfers.receivingInstitutions('instapay')).toContainEqual({
    name: 'GCash',
    bic: 'GXCHPHM2XXX',
  });
});
