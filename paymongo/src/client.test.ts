import { describe, expect, it } from 'vitest';
import {
  createPaymongo,
  isDefiniteRefusal,
  isOutcomeUnknown,
  MissingParameter,
  type Paymongo,
  PaymongoError,
  PaymongoUnreachable,
} from './index.ts';
import { caughtError, clientWith, reply, type Sent } from './testing/client.ts';

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

  it('throws the provider’s refusal with its status and body (§7-provider-errors)', async () => {
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

  it('is not sent until the time is over for which a 429 wants to be left alone', async () => {
    let now = 0;
    const sent: string[] = [];
    const client = createPaymongo({
      ...{ secretKey: 'sk_test_x', baseUrl: 'https://provider.test', now: () => now },
      fetch: async (url) => {
        sent.push(String(url));
        return sent.length === 1
          ? new Response('Too many requests', { status: 429, headers: { 'retry-after': '7' } })
          : reply({ data: link });
      },
    });
    expect(await caughtError(client.links.get('link_1'))).toMatchObject({ retryAfterMs: 7000 });
    now = 6000;
    expect(await caughtError(client.payments.list())).toMatchObject({ status: 429, retryAfterMs: 1000 });
    expect(sent).toHaveLength(1);
    now = 7000;
    expect(await caughtError(client.links.get('link_1'))).toBeNull();
  });

  it('is sent again after ten minutes at the latest, and not before the longest time that a 429 named', async () => {
    let now = 0;
    const answers = ['86400', '7'].map((seconds) => ({ seconds, ...Promise.withResolvers<void>() }));
    const waiting = [...answers];
    const client = createPaymongo({
      ...{ secretKey: 'sk_test_x', baseUrl: 'https://provider.test', now: () => now },
      fetch: async () => {
        const answer = waiting.shift();
        await answer?.promise;
        const headers = { 'retry-after': answer?.seconds ?? '' };
        return answer ? new Response('Too many requests', { status: 429, headers }) : reply({ data: link });
      },
    });
    // Both are under way when the first answer comes.
    const both = answers.map(() => caughtError(client.links.get('link_1')));
    for (const { resolve } of answers) resolve();
    expect(await Promise.all(both)).toMatchObject([{ retryAfterMs: 600_000 }, { retryAfterMs: 7000 }]);
    now = 599_000;
    expect(await caughtError(client.links.get('link_1'))).toMatchObject({ retryAfterMs: 1000 });
    now = 600_000;
    expect(await caughtError(client.links.get('link_1'))).toBeNull();
  });

  it('stays on its path whatever the id contains', async () => {
    const { client, sent } = clientWith(() => reply({ data: link }));
    await client.links.get('../webhooks?x=1');
    expect(sent[0]?.url).toBe('https://provider.test/v1/links/..%2Fwebhooks%3Fx%3D1');
  });
});

describe('what the caller leaves out', () => {
  const sentBody = async (create: (client: Paymongo) => Promise<unknown>) => {
    const { client, sent } = clientWith(() => reply({ errors: [] }, 400));
    await caughtError(create(client));
    return JSON.parse(String(sent[0]?.init.body)).data.attributes;
  };
  const redirect = { success: 'https://a.test', failed: 'https://b.test' };

  const source = { id: 'src_1', type: 'source' as const };
  const orders = {
    intent: () => sentBody(({ paymentIntents }) => paymentIntents.create()),
    source: () => sentBody(({ sources }) => sources.create({ redirect })),
    payment: () => sentBody(({ payments }) => payments.create({ source })),
  };

  it('is pesos for an intent, a source and a payment (§9-currency)', async () => {
    for (const create of Object.values(orders)) expect(await create()).toMatchObject({ currency: 'PHP' });
  });

  it('is amount 0 for an intent, a source and a payment (§9-payment-amount)', async () => {
    for (const create of Object.values(orders)) expect(await create()).toMatchObject({ amount: 0 });
  });

  it('is cards and a wallet (§9-payment-methods)', async () => {
    expect(await orders.intent()).toMatchObject({ payment_method_allowed: ['card', 'gcash'] });
  });

  it('is 3-D Secure for any card (§9-payment-3d-secure)', async () => {
    const payment_method_options = { card: { request_three_d_secure: 'any' } };
    expect(await orders.intent()).toMatchObject({ payment_method_options });
  });

  it('is a wallet as source (§9-payment-source)', async () => {
    expect(await orders.source()).toMatchObject({ type: 'gcash', redirect });
  });

  it('is nothing more', async () => {
    expect(Object.keys(await orders.intent())).toHaveLength(4);
    expect(Object.keys(await orders.source())).toHaveLength(4);
    expect(Object.keys(await orders.payment())).toHaveLength(3);
  });

  it('is replaced by what the caller names', async () => {
    const order = { amount: 20_000, payment_method_allowed: ['qrph'] };
    expect(await sentBody(({ paymentIntents }) => paymentIntents.create(order))).toMatchObject(order);
    const source = { type: 'grab_pay' as const, description: 'Tea', metadata: { order: '7' }, redirect };
    expect(await sentBody(({ sources }) => sources.create(source))).toMatchObject(source);
  });
});

describe('a required argument', () => {
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

  it('that is absent throws ‘Missing required parameter’, as without a secret key (§7-errors-missing)', () => {
    expect(() => createPaymongo({ secretKey: '' })).toThrow('Missing required parameter');
  });
});

describe('a creating call', () => {
  const order = { amount: 10_000, currency: 'PHP' };
  const redirect = { success: 'a', failed: 'b' };
  type Create = (client: Paymongo, key: string) => Promise<unknown>;
  it.each<[string, Create]>([
    ['links', ({ links }, key) => links.create({ amount: 10_000, description: 'Tea' }, key)],
    [
      'payments',
      ({ payments }, key) => payments.create({ ...order, source: { id: 's', type: 'source' } }, key),
    ],
    [
      'payment_intents',
      ({ paymentIntents }, key) => paymentIntents.create({ ...order, payment_method_allowed: ['card'] }, key),
    ],
    [
      'payment_intents/pi_1/attach',
      ({ paymentIntents }, key) => paymentIntents.attach('pi_1', { payment_method: 'pm_1' }, key),
    ],
    ['payment_methods', ({ paymentMethods }, key) => paymentMethods.create({ type: 'gcash' }, key)],
    ['sources', ({ sources }, key) => sources.create({ ...order, type: 'gcash', redirect }, key)],
    [
      'refunds',
      ({ refunds }, key) => refunds.create({ amount: 1, payment_id: 'pay_1', reason: 'others' }, key),
    ],
    ['webhooks', ({ webhooks }, key) => webhooks.create({ url: 'https://a.test', events: ['x'] }, key)],
  ])('to %s sends its idempotency key', async (path, create) => {
    const { client, sent } = clientWith(() => reply({ errors: [] }, 500));
    await caughtError(create(client, 'key-1'));
    expect(sent).toMatchObject([
      { url: `https://provider.test/v1/${path}`, init: { headers: { 'idempotency-key': 'key-1' } } },
    ]);
  });

  it.each([
    [true, 400, 'parameter_invalid', 'The destination account is not active.'],
    [true, 422, 'insufficient_balance', 'The balance is too low.'],
    [false, 400, 'idempotency_key_mismatch', 'It was used before.'],
    [false, 400, 'parameter_invalid', 'The key was used for a call with other parameters.'],
    [false, 409, 'idempotency_in_progress', 'It is in progress.'],
    [false, 429, 'too_many_requests', 'Later.'],
    [false, 500, 'internal_server_error', 'Unexpected.'],
  ])('is %s to be definitely refused by %i %s: %s', (definite, status, code, detail) => {
    expect(isDefiniteRefusal(new PaymongoError(status, [{ code, detail }], {}))).toBe(definite);
  });
});

describe('links of two APIs', () => {
  const refusal = (status: number) => reply({ errors: [{ code: 'x' }] }, status);
  const empty = reply({ has_more: false, data: [] });

  it.each([
    [403, null],
    [404, null],
    [500, { status: 500 }],
  ])('are none where the other API answers %i', async (status, expected) => {
    const { client } = clientWith(({ url }) =>
      url.includes('/payment_links') ? refusal(status) : empty.clone(),
    );
    const result = await client.links.findByReference('WTmSJbV').catch((error) => error);
    expect(result).toEqual(expected && expect.objectContaining(expected));
  });

  it('report the refusal of their own API when neither knows the link', async () => {
    const { client, sent } = clientWith(({ url }) => refusal(url.includes('/payment_links') ? 403 : 404));
    expect(await caughtError(client.links.get('link_1'))).toMatchObject({ status: 404 });
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([
      '/v1/links/link_1',
      '/v1/payment_links/link_1',
    ]);
  });
});

describe('a list', () => {
  const webhook = (number: number) => ({
    id: `hook_${number}`,
    type: 'webhook',
    attributes: { url: `https://${number}.test`, events: [], status: 'enabled' },
  });
  const hundred = (from: number) => Array.from({ length: 100 }, (_, index) => webhook(from + index));

  it('is read to its end, also when the filter is ignored and full pages do not say that there are more', async () => {
    const { client, sent } = clientWith(({ url }) =>
      url.includes('after=hook_199')
        ? reply({ has_more: false, data: [webhook(200)] })
        : reply({ data: url.includes('after=hook_99') ? hundred(100) : hundred(0) }),
    );
    expect(await client.webhooks.list({ url: 'https://200.test' })).toMatchObject([{ id: 'hook_200' }]);
    expect(sent).toHaveLength(3);
    expect(sent[0]?.url).toBe('https://provider.test/v1/webhooks?url=https%3A%2F%2F200.test&limit=100');
  });

  it('that cannot be read to its end throws, so that nothing is taken for absent', async () => {
    const { client } = clientWith(() => reply({ has_more: true, data: hundred(0) }));
    expect(await caughtError(client.webhooks.list())).toMatchObject({ reason: 'unreadable' });
  });
});
