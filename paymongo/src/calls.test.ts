import { expect, test } from 'vitest';
import type { Paymongo } from './index.ts';
import { clientWith, reply } from './testing/client.ts';

/** What a call sends: its method and address, and the attributes of its envelope. */
async function sentBy(call: (client: Paymongo) => Promise<unknown>) {
  const { client, sent } = clientWith(() => reply({ errors: [] }, 400));
  // Only what is sent matters here.
  await call(client).catch(() => {});
  const [{ url, init } = expect.unreachable('nothing was sent')] = sent;
  const body = init.body === undefined ? undefined : JSON.parse(String(init.body)).data?.attributes;
  return { line: `${init.method} ${url.replace('https://provider.test', '')}`, body };
}

const details = { card_number: '4343434343434345', exp_month: 12, exp_year: 2034, cvc: '123' };
const intent = {
  ...{ amount: 25_000, payment_method_allowed: ['card', 'gcash'], currency: 'PHP' },
  payment_method_options: { card: { request_three_d_secure: 'any' as const } },
  ...{ description: 'Tea', statement_descriptor: 'TARA', metadata: { order: '7' } },
};
const attachment = { payment_method: 'pm_1', client_key: 'key_1', return_url: 'https://tara.test/back' };
const method = { type: 'card' as const, details, billing: { name: 'Ana' }, metadata: { order: '7' } };
const webhook = { url: 'https://tara.test/hook', events: ['payment.paid'] };
const redirect = { success: 'https://tara.test/yes', failed: 'https://tara.test/no' };
const source = {
  amount: 25_000,
  redirect,
  type: 'gcash' as const,
  currency: 'PHP',
  billing: { name: 'Ana' },
};
const link = { amount: 25_000, description: 'Tea', remarks: 'Two cups' };
const payment = {
  ...{ amount: 25_000, currency: 'PHP', source: { id: 'src_1', type: 'source' as const } },
  ...{ description: 'Tea', statement_descriptor: 'TARA' },
};

const calls: [
  title: string,
  line: string,
  body: object | undefined,
  (client: Paymongo) => Promise<unknown>,
][] = [
  [
    'creates a payment intent (§7-provider-intents)',
    'POST /v1/payment_intents',
    intent,
    (c) => c.paymentIntents.create(intent),
  ],
  [
    'attaches a payment method (§7-provider-intents-attach)',
    'POST /v1/payment_intents/pi_1/attach',
    attachment,
    (c) => c.paymentIntents.attach('pi_1', attachment),
  ],
  [
    'reads a payment intent by its client key (§7-provider-intents-get)',
    'GET /v1/payment_intents/pi_1?client_key=key_1',
    undefined,
    (c) => c.paymentIntents.get('pi_1', { client_key: 'key_1' }),
  ],
  [
    'creates a payment method (§7-provider-methods)',
    'POST /v1/payment_methods',
    method,
    (c) => c.paymentMethods.create(method),
  ],
  [
    'reads a payment method (§7-provider-methods-get)',
    'GET /v1/payment_methods/pm_1',
    undefined,
    (c) => c.paymentMethods.get('pm_1'),
  ],
  [
    'creates a webhook (§7-provider-webhooks)',
    'POST /v1/webhooks',
    webhook,
    (c) => c.webhooks.create(webhook),
  ],
  [
    'lists the webhooks (§7-provider-webhooks-list)',
    'GET /v1/webhooks?limit=100',
    undefined,
    (c) => c.webhooks.list(),
  ],
  [
    'reads a webhook (§7-provider-webhooks-get)',
    'GET /v1/webhooks/hook_1',
    undefined,
    (c) => c.webhooks.get('hook_1'),
  ],
  [
    'changes a webhook (§7-provider-webhooks-change)',
    'PUT /v1/webhooks/hook_1',
    webhook,
    (c) => c.webhooks.update('hook_1', webhook),
  ],
  [
    'enables a webhook (§7-provider-webhooks-enable)',
    'POST /v1/webhooks/hook_1/enable',
    undefined,
    (c) => c.webhooks.enable('hook_1'),
  ],
  [
    'disables a webhook (§7-provider-webhooks-disable)',
    'POST /v1/webhooks/hook_1/disable',
    undefined,
    (c) => c.webhooks.disable('hook_1'),
  ],
  ['creates a source (§7-provider-sources)', 'POST /v1/sources', source, (c) => c.sources.create(source)],
  [
    'reads a source (§7-provider-sources-get)',
    'GET /v1/sources/src_1',
    undefined,
    (c) => c.sources.get('src_1'),
  ],
  ['creates a link (§7-provider-links)', 'POST /v1/links', link, (c) => c.links.create(link)],
  [
    'finds a link by its reference number (§7-provider-links-find)',
    'GET /v1/links?reference_number=WTmSJbV&limit=100',
    undefined,
    (c) => c.links.findByReference('WTmSJbV'),
  ],
  ['reads a link (§7-provider-links-get)', 'GET /v1/links/link_1', undefined, (c) => c.links.get('link_1')],
  [
    'archives a link (§7-provider-links-archive)',
    'POST /v1/links/link_1/archive',
    undefined,
    (c) => c.links.archive('link_1'),
  ],
  [
    'unarchives a link (§7-provider-links-unarchive)',
    'POST /v1/links/link_1/unarchive',
    undefined,
    (c) => c.links.unarchive('link_1'),
  ],
  [
    'creates a payment (§7-provider-payments)',
    'POST /v1/payments',
    payment,
    (c) => c.payments.create(payment),
  ],
  [
    'reads a payment (§7-provider-payments-get)',
    'GET /v1/payments/pay_1',
    undefined,
    (c) => c.payments.get('pay_1'),
  ],
  ['lists the payments (§7-provider-payments-list)', 'GET /v1/payments', undefined, (c) => c.payments.list()],
];

test.for(calls)('the client %s as the specification writes it', async ([, line, body, call]) => {
  expect(await sentBy(call)).toEqual({ line, body });
});
