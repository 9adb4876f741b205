import type { Fixtures } from './fixtures.ts';
import type { Delivery } from './sandbox.ts';

/** The provider's calls: the 21 of §7, and after them those that keep the product's payments right. */
export type CallName = keyof typeof CALLS;
/** What a client is given to make a call, or to check a delivery. */
export type Inputs = {
  [Name in CallName]: Awaited<ReturnType<(typeof CALLS)[Name]>>['input'];
} & { 'Paymongo-Signature': Delivery };

/**
 * For each call what a client is given, and attributes that the reply has to have, and the resource when it is read
 * afterwards. What a call changes is in another state before.
 */
export const CALLS = {
  'POST /payment_intents': async ({ intentOrder }: Fixtures) => ({
    input: { order: intentOrder },
    answer: { ...intentOrder, status: 'awaiting_payment_method', payments: [] },
  }),
  'POST /payment_intents/{id}/attach': async ({ intent, method }: Fixtures) => {
    const { id } = await intent();
    return {
      input: { id, methodId: (await method()).id },
      answer: { id, status: 'succeeded', payments: [{ attributes: { amount: 10_000, status: 'paid' } }] },
    };
  },
  'GET /payment_intents/{id}': async ({ intent, intentOrder }: Fixtures) => {
    const { id, attributes } = await intent();
    return {
      input: { id, clientKey: attributes.client_key },
      answer: { id, ...intentOrder, client_key: attributes.client_key, status: 'awaiting_payment_method' },
    };
  },
  'POST /payment_methods': async ({ card }: Fixtures) => ({
    input: { card },
    answer: { type: 'card', details: { last4: '4457', exp_month: 12, exp_year: 2034 } },
  }),
  'GET /payment_methods/{id}': async ({ method }: Fixtures) => {
    const { id } = await method();
    return { input: { id }, answer: { id, type: 'card', details: { last4: '4457' } } };
  },
  'POST /webhooks': async ({ webhookOrder }: Fixtures) => {
    const order = webhookOrder();
    return { input: { order }, answer: { ...order, status: 'enabled' } };
  },
  'GET /webhooks': async ({ webhook }: Fixtures) => {
    const { id, attributes } = await webhook();
    return { input: {}, answer: { id, url: attributes.url, status: 'enabled' } };
  },
  'GET /webhooks/{id}': async ({ webhook }: Fixtures) => {
    const { id, attributes } = await webhook();
    return { input: { id }, answer: { id, url: attributes.url, status: 'enabled' } };
  },
  'PUT /webhooks/{id}': async ({ webhook, webhookOrder }: Fixtures) => {
    const { id } = await webhook();
    const order = { ...webhookOrder(), events: ['payment.failed', 'payment.paid'] };
    return { input: { id, order }, answer: { id, ...order, status: 'enabled' } };
  },
  'POST /webhooks/{id}/enable': async ({ disabledWebhook }: Fixtures) => {
    const { id } = await disabledWebhook();
    return { input: { id }, answer: { id, status: 'enabled' } };
  },
  'POST /webhooks/{id}/disable': async ({ webhook }: Fixtures) => {
    const { id } = await webhook();
    return { input: { id }, answer: { id, status: 'disabled' } };
  },
  'POST /sources': async ({ sourceOrder }: Fixtures) => ({
    input: { order: sourceOrder },
    answer: { ...sourceOrder, status: 'pending' },
  }),
  'GET /sources/{id}': async ({ source, sourceOrder }: Fixtures) => {
    const { id } = await source();
    return { input: { id }, answer: { id, ...sourceOrder, status: 'pending' } };
  },
  'POST /links': async ({ linkOrder }: Fixtures) => ({
    input: { order: linkOrder },
    answer: { ...linkOrder, status: 'unpaid', archived: false, payments: [] },
  }),
  'GET /links?reference_number=': async ({ link, linkOrder }: Fixtures) => {
    const { id, referenceNumber } = await link();
    return {
      input: { referenceNumber },
      answer: { id, ...linkOrder, reference_number: referenceNumber },
      isOnly: true,
    };
  },
  'GET /links/{id}': async ({ link, linkOrder }: Fixtures) => {
    const { id } = await link();
    return { input: { id }, answer: { id, ...linkOrder, status: 'unpaid' } };
  },
  'POST /links/{id}/archive': async ({ link }: Fixtures) => {
    const { id } = await link();
    return { input: { id }, answer: { id, archived: true, status: 'unpaid' } };
  },
  'POST /links/{id}/unarchive': async ({ archivedLink }: Fixtures) => {
    const { id } = await archivedLink();
    return { input: { id }, answer: { id, archived: false, status: 'unpaid' } };
  },
  'POST /payments': async ({ paymentOrder }: Fixtures) => {
    const order = await paymentOrder();
    const answer = { amount: order.amount, source: { id: order.source.id, type: 'gcash' }, status: 'paid' };
    return { input: { order }, answer };
  },
  'GET /payments/{id}': async ({ payment }: Fixtures) => {
    const { id } = await payment();
    return { input: { id }, answer: { id, amount: 10_000, status: 'paid', refunds: [] } };
  },
  'GET /payments': async ({ payment }: Fixtures) => {
    const { id } = await payment();
    return { input: {}, answer: { id, amount: 10_000, status: 'paid' } };
  },
  'POST /payment_intents/{id}/capture': async ({ heldIntent }: Fixtures) => {
    const { id } = await heldIntent();
    return {
      input: { id, order: { amount: 10_000 } },
      answer: { id, status: 'succeeded', payments: [{ attributes: { amount: 10_000, status: 'paid' } }] },
    };
  },
  'POST /payment_intents/{id}/cancel': async ({ heldIntent }: Fixtures) => {
    const { id } = await heldIntent();
    return { input: { id }, answer: { id, status: 'cancelled', payments: [] } };
  },
  'POST /refunds': async ({ refundOrder }: Fixtures) => {
    const order = await refundOrder();
    return { input: { order }, answer: { ...order, status: 'pending' } };
  },
  'GET /refunds/{id}': async ({ refund }: Fixtures) => {
    const { id } = await refund();
    return { input: { id }, answer: { id, amount: 10_000, reason: 'others', status: 'pending' } };
  },
  'GET /refunds': async ({ refund }: Fixtures) => {
    const { id } = await refund();
    return { input: {}, answer: { id, amount: 10_000, status: 'pending' } };
  },
};

/** What the provider documents of an error; `code` is null where it documents the status only. */
export interface Refusal {
  status: number;
  code: string | null;
  pointer?: string;
}

interface RefusedCall {
  call: CallName;
  why: string;
  refusal: Refusal;
  isWrongKey?: true;
  prepare(make: Fixtures): Promise<unknown>;
}

const refused = <Name extends CallName>(
  call: Name,
  why: string,
  refusal: Refusal,
  prepare: (make: Fixtures) => Promise<Inputs[Name]>,
): RefusedCall => ({ call, why, refusal, prepare });

const prepareIntent = async (make: Fixtures) => (await CALLS['GET /payment_intents/{id}'](make)).input;

/** Calls that the provider refuses, by the same methods of the clients. */
export const REFUSED_CALLS: RefusedCall[] = [
  {
    ...refused('GET /payment_intents/{id}', 'a wrong key', { status: 401, code: null }, prepareIntent),
    isWrongKey: true,
  },
  refused(
    'GET /payment_intents/{id}',
    'an unknown id',
    { status: 404, code: 'resource_not_found' },
    async (make) => ({ ...(await prepareIntent(make)), id: `pi_${'a'.repeat(24)}` }),
  ),
  refused(
    'POST /payment_intents',
    'too small an amount',
    { status: 400, code: 'parameter_below_minimum', pointer: 'amount' },
    async ({ intentOrder }) => ({ order: { ...intentOrder, amount: 1_999 } }),
  ),
  refused(
    'POST /webhooks',
    'an unknown event',
    { status: 400, code: 'parameter_invalid', pointer: 'events' },
    async ({ webhookOrder }) => ({ order: { ...webhookOrder(), events: ['payment.paid', 'payment.made'] } }),
  ),
  refused(
    'POST /payment_intents',
    'a provider that fails',
    { status: 500, code: null },
    async ({ intentOrder, addFault }) => {
      await addFault('/v1/payment_intents', 1);
      return { order: intentOrder };
    },
  ),
];
