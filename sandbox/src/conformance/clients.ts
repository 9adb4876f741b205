import { createRequire } from 'node:module';
import type { Fixtures } from './fixtures.ts';

/** The provider's calls: the 21 of §7, and after them those that keep the product's payments right. */
export const CALLS = [
  'POST /payment_intents',
  'POST /payment_intents/{id}/attach',
  'GET /payment_intents/{id}',
  'POST /payment_methods',
  'GET /payment_methods/{id}',
  'POST /webhooks',
  'GET /webhooks',
  'GET /webhooks/{id}',
  'PUT /webhooks/{id}',
  'POST /webhooks/{id}/enable',
  'POST /webhooks/{id}/disable',
  'POST /sources',
  'GET /sources/{id}',
  'POST /links',
  'GET /links?reference_number=',
  'GET /links/{id}',
  'POST /links/{id}/archive',
  'POST /links/{id}/unarchive',
  'POST /payments',
  'GET /payments/{id}',
  'GET /payments',
  'POST /payment_intents/{id}/capture',
  'POST /payment_intents/{id}/cancel',
  'POST /refunds',
  'GET /refunds/{id}',
  'GET /refunds',
] as const;
type CallName = (typeof CALLS)[number];

/** Makes one call through a client; or why the client cannot, whatever the provider answers. */
type Attempt = ((fixtures: Fixtures) => Promise<unknown>) | { ownBug: string };
/** A published client; calls that it does not have are left out. */
export type ThirdPartyClient = { name: string; attempts: Partial<Record<CallName, Attempt>> };

type Method = (...args: unknown[]) => Promise<unknown>;
type Groups = Record<string, Record<string, Method>>;

const require = createRequire(import.meta.url);
const version = (name: string): string =>
  `${name} ${(require(`${name}/package.json`) as { version: string }).version}`;

/** `groups.links.create`, which fails as a missing method does. */
const method =
  (groups: Groups, group: string, name: string): Method =>
  (...args) => {
    const member = groups[group]?.[name];
    if (!member) throw new Error(`The client has no ${group}.${name}.`);
    return member.call(groups[group], ...args);
  };

/** `paymongo.js` of omsimos, whose defaults are those of §9. It has no links. */
function paymongoJs(secretKey: string): ThirdPartyClient {
  const module = require('paymongo.js') as { default: (key: string) => Groups };
  const client = module.default(secretKey);
  const call = (group: string, name: string) => method(client, group, name);
  return {
    name: version('paymongo.js'),
    attempts: {
      'POST /payment_intents': () => call('intent', 'create')({ amount: 10_000, metadata: { order: '7' } }),
      'POST /payment_intents/{id}/attach': async ({ intent, method: newMethod }) =>
        call('intent', 'attach')({ intentId: (await intent()).id, methodId: (await newMethod()).id }),
      'GET /payment_intents/{id}': async ({ intent }) => {
        const { id, attributes } = await intent();
        return call('intent', 'retrieve')({ intentId: id, clientKey: attributes.client_key });
      },
      'POST /payment_methods': ({ card }) =>
        call(
          'method',
          'create',
        )({
          type: 'card',
          details: {
            cardNumber: card.card_number,
            expMonth: card.exp_month,
            expYear: card.exp_year,
            cvc: card.cvc,
          },
        }),
      'GET /payment_methods/{id}': async ({ method: newMethod }) =>
        call('method', 'retrieve')((await newMethod()).id),
      'POST /webhooks': ({ webhookOrder }) => call('webhook', 'create')(webhookOrder()),
      'GET /webhooks': async ({ webhook }) => {
        await webhook();
        return call('webhook', 'list')();
      },
      'GET /webhooks/{id}': async ({ webhook }) => call('webhook', 'retrieve')((await webhook()).id),
      'PUT /webhooks/{id}': async ({ webhook, webhookOrder }) =>
        call('webhook', 'update')({ webhookId: (await webhook()).id, ...webhookOrder() }),
      'POST /webhooks/{id}/enable': async ({ webhook }) => call('webhook', 'enable')((await webhook()).id),
      'POST /webhooks/{id}/disable': async ({ webhook }) => call('webhook', 'disable')((await webhook()).id),
      'POST /sources': ({ redirect }) => call('source', 'create')({ amount: 10_000, redirect }),
      'GET /sources/{id}': async ({ source }) => call('source', 'retrieve')((await source()).id),
      'POST /payments': async ({ paymentOrder }) => call('payment', 'create')(await paymentOrder()),
      'GET /payments/{id}': async ({ payment }) => call('payment', 'retrieve')((await payment()).id),
      'GET /payments': async ({ payment }) => {
        await payment();
        return call('payment', 'list')();
      },
    },
  };
}

/** `paymongo` of jofftiquez. It takes whole envelopes. */
function paymongo(secretKey: string): ThirdPartyClient {
  const Client = require('paymongo') as new (key: string) => Groups;
  const client = new Client(secretKey);
  const call = (group: string, name: string) => method(client, group, name);
  const envelope = (attributes: object) => ({ data: { attributes } });
  const ownBug = 'sends the id in place of the key';
  return {
    name: version('paymongo'),
    attempts: {
      'POST /payment_intents': ({ intentOrder }) =>
        call('paymentIntents', 'create')(envelope({ ...intentOrder, currency: 'PHP' })),
      'POST /payment_intents/{id}/attach': async ({ intent, method: newMethod }) => {
        const attachment = envelope({ payment_method: (await newMethod()).id });
        return call('paymentIntents', 'attach')((await intent()).id, attachment);
      },
      'GET /payment_intents/{id}': async ({ intent }) =>
        call('paymentIntents', 'retrieve')((await intent()).id),
      'POST /payment_methods': ({ card }) =>
        call('paymentMethods', 'create')(envelope({ type: 'card', details: { ...card, exp_year: 34 } })),
      'GET /payment_methods/{id}': async ({ method: newMethod }) =>
        call('paymentMethods', 'retrieve')((await newMethod()).id),
      'POST /webhooks': ({ webhookOrder }) => call('webhooks', 'create')(envelope(webhookOrder())),
      'GET /webhooks': async ({ webhook }) => {
        await webhook();
        return call('webhooks', 'list')();
      },
      'GET /webhooks/{id}': async ({ webhook }) => call('webhooks', 'retrieve')((await webhook()).id),
      'POST /webhooks/{id}/enable': async ({ webhook }) =>
        call('webhooks', 'toggle')((await webhook()).id, 'enable'),
      'POST /webhooks/{id}/disable': async ({ webhook }) =>
        call('webhooks', 'toggle')((await webhook()).id, 'disable'),
      'POST /sources': ({ sourceOrder }) => call('sources', 'create')(envelope(sourceOrder)),
      'GET /sources/{id}': async ({ source }) => call('sources', 'retrieve')((await source()).id),
      'POST /links': ({ linkOrder }) => call('links', 'create')(envelope(linkOrder)),
      'GET /links?reference_number=': async ({ link }) =>
        call('links', 'getByRef')((await link()).referenceNumber),
      'GET /links/{id}': async ({ link }) => call('links', 'retrieve')((await link()).id),
      'POST /links/{id}/archive': async ({ link }) => call('links', 'archive')((await link()).id),
      'POST /links/{id}/unarchive': async ({ link }) => call('links', 'unarchive')((await link()).id),
      'POST /payments': async ({ paymentOrder }) =>
        call('payments', 'create')(envelope(await paymentOrder())),
      'GET /payments/{id}': async ({ payment }) => call('payments', 'retrieve')((await payment()).id),
      'GET /payments': async ({ payment }) => {
        await payment();
        return call('payments', 'list')();
      },
      'POST /payment_intents/{id}/capture': { ownBug },
      'POST /payment_intents/{id}/cancel': { ownBug },
      'POST /refunds': async ({ refundOrder }) => call('refunds', 'create')(envelope(await refundOrder())),
      'GET /refunds/{id}': async ({ refund }) => call('refunds', 'retrieve')((await refund()).id),
      'GET /refunds': async ({ refund }) => {
        await refund();
        return call('refunds', 'list')();
      },
    },
  };
}

/** `paymongo-node` of PayMongo itself. It cannot make or attach methods. */
function paymongoNode(secretKey: string): ThirdPartyClient {
  const create = require('paymongo-node') as (key: string) => Groups;
  const client = create(secretKey);
  const call = (group: string, name: string) => method(client, group, name);
  return {
    name: version('paymongo-node'),
    attempts: {
      'POST /payment_intents': ({ intentOrder }) =>
        call('paymentIntents', 'create')({ ...intentOrder, currency: 'PHP' }),
      'GET /payment_intents/{id}': async ({ intent }) =>
        call('paymentIntents', 'retrieve')((await intent()).id),
      'GET /payment_methods/{id}': { ownBug: 'reads a variable that it never sets' },
      'POST /webhooks': ({ webhookOrder }) => call('webhooks', 'create')(webhookOrder()),
      'GET /webhooks': async ({ webhook }) => {
        await webhook();
        return call('webhooks', 'all')({ limit: 5 });
      },
      'GET /webhooks/{id}': async ({ webhook }) => call('webhooks', 'retrieve')((await webhook()).id),
      'PUT /webhooks/{id}': async ({ webhook, webhookOrder }) =>
        call('webhooks', 'update')((await webhook()).id, webhookOrder()),
      'POST /webhooks/{id}/enable': async ({ webhook }) => call('webhooks', 'enable')((await webhook()).id),
      'POST /webhooks/{id}/disable': async ({ webhook }) => call('webhooks', 'disable')((await webhook()).id),
      'POST /sources': ({ sourceOrder }) => call('sources', 'create')(sourceOrder),
      'GET /sources/{id}': async ({ source }) => call('sources', 'retrieve')((await source()).id),
      'POST /links': ({ linkOrder }) => call('links', 'create')(linkOrder),
      'GET /links?reference_number=': async ({ link }) =>
        call('links', 'all')({ reference_number: (await link()).referenceNumber }),
      'GET /links/{id}': async ({ link }) => call('links', 'retrieve')((await link()).id),
      'POST /links/{id}/archive': async ({ link }) => call('links', 'archive')((await link()).id),
      'POST /links/{id}/unarchive': async ({ link }) => call('links', 'unarchive')((await link()).id),
      'POST /payments': async ({ paymentOrder }) => call('payments', 'create')(await paymentOrder()),
      'GET /payments/{id}': async ({ payment }) => call('payments', 'retrieve')((await payment()).id),
      'GET /payments': async ({ payment }) => {
        await payment();
        return call('payments', 'all')({ limit: 5 });
      },
      'POST /payment_intents/{id}/capture': { ownBug: 'cannot read an intent with a payment' },
      'POST /payment_intents/{id}/cancel': async ({ intent }) =>
        call('paymentIntents', 'cancel')((await intent()).id),
      'POST /refunds': async ({ refundOrder }) => call('refunds', 'create')(await refundOrder()),
      'GET /refunds/{id}': async ({ refund }) => call('refunds', 'retrieve')((await refund()).id),
      'GET /refunds': { ownBug: 'uses a class that it does not import' },
    },
  };
}

/** The clients, loaded as they are published. Install the hook that changes their base address first. */
export const loadClients = (secretKey: string): ThirdPartyClient[] => [
  paymongoJs(secretKey),
  paymongo(secretKey),
  paymongoNode(secretKey),
];
