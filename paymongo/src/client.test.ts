import { describe, expect, it } from 'vitest';
import {
  createPaymongo,
  isOutcomeUnknown,
  MissingParameter,
  Payment,
  PaymongoError,
  PaymongoUnreachable,
  paymentFee,
} from './index.ts';

type Sent = { url: string; init: RequestInit };

/** A client whose calls get the replies of `handler`, and the requests it sent. */
function clientWith(handler: (sent: Sent) => Response | Promise<Response>, timeoutMs?: number) {
  const sent: Sent[] = [];
  const client = createPaymongo({
    secretKey: 'sk_test_x',
    baseUrl: 'https://provider.test/',
    timeoutMs,
    fetch: async (url, init = {}) => {
      const call = { url: String(url), init };
      sent.push(call);
      return handler(call);
    },
  });
  return { client, sent };
}

const reply = (body: unknown, status = 200) => Response.json(body, { status });
const caughtError = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error) => error,
  );

const link = {
  id: 'link_1',
  type: 'link',
  attributes: {
    amount: 10_000,
    currency: 'PHP',
    description: 'Tea',
    status: 'unpaid',
    checkout_url: 'https://pay.test/link_1',
    reference_number: 'WTmSJbV',
    payments: [],
    something_new: true,
  },
};

describe('a call', () => {
  it('sends the key as user name and the attributes in the envelope (§7-provider-envelope)', async () => {
    const { client, sent } = clientWith(() => reply({ data: link }));
    const created = await client.links.create({ amount: 10_000, description: 'Tea' });
    expect(created).toEqual({
      id: 'link_1',
      amount: 10_000,
      currency: 'PHP',
      description: 'Tea',
      remarks: null,
      status: 'unpaid',
      archived: false,
      checkoutUrl: 'https://pay.test/link_1',
      referenceNumber: 'WTmSJbV',
      payments: [],
    });
    expect(sent).toMatchObject([
      {
        url: 'https://provider.test/v1/links',
        init: {
          method: 'POST',
          body: '{"data":{"attributes":{"amount":10000,"description":"Tea"}}}',
          headers: { authorization: `Basic ${Buffer.from('sk_test_x:').toString('base64')}` },
        },
      },
    ]);
  });

  it('throws the provider’s refusal with its status and body (§7-provider-envelope)', async () => {
    const body = { errors: [{ code: 'parameter_required', detail: 'amount is required.' }] };
    const { client } = clientWith(() => reply(body, 400));
    const error = await caughtError(client.links.get('link_1'));
    expect(error).toBeInstanceOf(PaymongoError);
    expect(error).toMatchObject({ status: 400, errors: body.errors, body, message: 'amount is required.' });
    expect(isOutcomeUnknown(error)).toBe(false);
  });

  it('contains a refusal that is not JSON', async () => {
    const { client } = clientWith(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    const error = await caughtError(client.links.get('link_1'));
    expect(error).toMatchObject({ status: 502, errors: [], body: '<h1>Bad gateway</h1>' });
    expect(isOutcomeUnknown(error)).toBe(true);
  });

  it.each([
    ['network', () => Promise.reject(new TypeError('fetch failed'))],
    ['unreadable', () => new Response('<html>')],
    ['unreadable', () => reply({ data: { id: 'link_1' } })],
  ])('reports a missing reply (%s), and is not repeated', async (reason, answer) => {
    const { client, sent } = clientWith(answer);
    const error = await caughtError(client.links.create({ amount: 10_000, description: 'Tea' }));
    expect(error).toBeInstanceOf(PaymongoUnreachable);
    expect(error).toMatchObject({ reason });
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it('times out', async () => {
    const never = ({ init }: Sent) =>
      new Promise<Response>((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const { client } = clientWith(never, 20);
    expect(await caughtError(client.payments.list())).toMatchObject({ reason: 'timeout' });
  });

  it('stays on its path whatever the id contains', async () => {
    const { client, sent } = clientWith(() => reply({ data: link }));
    await client.links.get('../webhooks?x=1');
    expect(sent[0]?.url).toBe('https://provider.test/v1/links/..%2Fwebhooks%3Fx%3D1');
  });
});

describe('a required argument (§7-errors)', () => {
  const { client, sent } = clientWith(() => reply({}));
  const blank: never = '' as never;
  it.each([
    ['links.create', () => client.links.create({ amount: blank, description: 'x' })],
    ['links.get', () => client.links.get('')],
    ['paymentIntents.attach', () => client.paymentIntents.attach('pi_1', { payment_method: '' })],
    ['paymentMethods.create', () => client.paymentMethods.create({ type: 'card' })],
    ['webhooks.create', () => client.webhooks.create({ url: '', events: [] })],
    ['sources.get', () => client.sources.get('')],
    ['payments.get', () => client.payments.get('')],
    ['refunds.get', () => client.refunds.get('')],
    ['transfers.get', () => client.transfers.get('')],
  ])('that is absent from %s throws before anything is sent', async (_name, call) => {
    const error = await caughtError(call());
    expect(error).toBeInstanceOf(MissingParameter);
    expect(error).toMatchObject({ message: 'Missing required parameter' });
    expect(sent).toHaveLength(0);
  });

  it('includes the secret key', () => {
    expect(() => createPaymongo({ secretKey: '' })).toThrow('Missing required parameter');
  });
});

describe('the fee of a payment', () => {
  // The amounts are those of the provider's own examples.
  it.each([
    ['with tax withheld', 246, { amount: 10_000, fee: 250, tax_amount: 4, net_amount: 9_754 }],
    ['by a foreign card', 1_950, { amount: 10_000, fee: 1_850, foreign_fee: 100, net_amount: 8_050 }],
    ['without a net amount', 39, { amount: 2_000, fee: 40, tax_amount: 1 }],
    ['with an impossible net amount', 40, { amount: 2_000, fee: 40, net_amount: -1 }],
    ['without any', 0, { amount: 2_000 }],
    ['that is more than the payment', null, { amount: 2_000, fee: 2_010, net_amount: -10 }],
  ])('%s is what the provider keeps', (_name, fee, attributes) => {
    const resource = {
      id: 'pay_1',
      type: 'payment',
      attributes: { ...attributes, currency: 'PHP', status: 'paid' },
    };
    expect(paymentFee(Payment.parse(resource))).toBe(fee);
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
});
