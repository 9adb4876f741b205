import { describe, expect, it } from 'vitest';
import { defaultAccount } from './index.ts';
import { clientWith, reply } from './testing/client.ts';

describe('the account of payouts', () => {
  const wallet = (id: string, changes: object) => ({
    id,
    account: { account_number: id, account_name: 'Tara' },
    ...changes,
  });
  it.each([
    [
      'the default one',
      'b',
      [wallet('a', { status: 'activated' }), wallet('b', { status: 'activated', is_default: true })],
    ],
    [
      'an activated one',
      'a',
      [wallet('b', { status: 'frozen', is_default: true }), wallet('a', { status: 'activated' })],
    ],
    ['one that names its account', 'a', [{ id: 'b', is_default: true }, wallet('a', {})]],
    ['none', undefined, []],
  ])('is %s', (_name, number, wallets) => {
    expect(defaultAccount(wallets)?.number).toBe(number);
  });
});

describe('transfers', () => {
  const transfer = {
    id: 'tr_1',
    amount: 10_000,
    currency: 'PHP',
    provider: 'instapay',
    destination_account: { number: '0917', name: 'Ana', bic: 'GXCHPHM2XXX' },
    reference_number: 'out-1',
    status: 'pending',
  };

  it('send their idempotency key and a flat body', async () => {
    const { client, sent } = clientWith(() => reply({ data: { id: 'batch_tr_1', transfers: [transfer] } }));
    const account = transfer.destination_account;
    const order = { ...transfer, provider: 'instapay' as const, source_account: account };
    expect(await client.transfers.create(order, 'key-1')).toMatchObject({ batch_transfer_id: 'batch_tr_1' });
    expect(sent[0]?.init.headers).toMatchObject({ 'idempotency-key': 'key-1' });
    expect(JSON.parse(String(sent[0]?.init.body)).transfers).toHaveLength(1);
  });

  it.each([
    ['flat', { data: [transfer] }],
    ['nested', { data: { transfers: [transfer], has_more: false } }],
  ])('are found by reference in a list that is %s', async (_shape, body) => {
    const { client, sent } = clientWith(() => reply(body));
    expect(await client.transfers.findByReference('out-1')).toMatchObject([{ id: 'tr_1' }]);
    expect(sent[0]?.url).toBe('https://provider.test/v2/transfers?reference_number=out-1&limit=100');
    expect(await client.transfers.findByReference('out-2')).toEqual([]);
  });

  it('are looked for to a date and no page further, also where the provider ignores the reference', async () => {
    const first = Date.parse('2026-11-01T00:00:00Z');
    // One a minute, newest first.
    const all = Array.from({ length: 100_000 }, (_, index) => ({
      ...{ ...transfer, id: `tr_${index}`, reference_number: `out-${index}` },
      created_at: new Date(first - index * 60_000).toISOString(),
    }));
    const { client, sent } = clientWith(({ url }) => {
      const after = new URL(url).searchParams.get('after');
      const from = after === null ? 0 : Number(after.slice(3)) + 1;
      return reply({ has_more: true, data: all.slice(from, from + 100) });
    });
    const since = new Date(first - 150 * 60_000);
    expect(await client.transfers.findByReference('out-120', since)).toMatchObject([{ id: 'tr_120' }]);
    expect(sent).toHaveLength(2);
    // What the reference does not find is looked for without it.
    expect(await client.transfers.findByReference('out-180', since)).toEqual([]);
    expect(sent).toHaveLength(6);
  });

  it('are found also where the provider looks for the reference in another field', async () => {
    const { client } = clientWith(({ url }) =>
      reply({
        has_more: false,
        data: new URL(url).searchParams.has('reference_number')
          ? []
          : [{ ...transfer, reference_number: 'out-1' }],
      }),
    );
    expect(await client.transfers.findByReference('out-1')).toHaveLength(1);
  });
});
