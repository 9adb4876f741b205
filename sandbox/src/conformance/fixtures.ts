import { setTimeout as sleep } from 'node:timers/promises';
import { createPaymongo } from '@tara/paymongo';
import type { Delivery, Sandbox } from './sandbox.ts';

/** What the calls of third-party clients need, each made by our own client. */
export type Fixtures = ReturnType<typeof createFixtures>;

export function createFixtures({ origin, secretKey, addFault, delivery: firstDelivery }: Sandbox) {
  const client = createPaymongo({ secretKey, baseUrl: origin });
  let webhooks = 0;
  let signed: Promise<Delivery> | undefined;
  const redirect = { success: 'https://example.com/yes', failed: 'https://example.com/no' };
  const card = { card_number: '5555444444444457', exp_month: 12, exp_year: 2034, cvc: '123' };
  const intentOrder = { amount: 10_000, currency: 'PHP', payment_method_allowed: ['card', 'gcash'] };
  const sourceOrder = { amount: 10_000, currency: 'PHP', type: 'gcash' as const, redirect };
  const linkOrder = { amount: 10_000, description: 'Tea', remarks: 'Two cups' };
  const webhookOrder = () => ({ url: `https://example.com/${++webhooks}`, events: ['payment.paid'] });
  const method = () => client.paymentMethods.create({ type: 'card', details: card });
  const webhook = () => client.webhooks.create(webhookOrder());
  const link = () => client.links.create(linkOrder);

  /** An order for a source that its payer authorized. */
  async function paymentOrder() {
    const { id } = await client.sources.create(sourceOrder);
    const body = new URLSearchParams({ decision: 'authorize' });
    await fetch(`${origin}/authorize/${id}`, { method: 'POST', body });
    return { amount: 10_000, currency: 'PHP', source: { id, type: 'source' as const } };
  }
  const payment = async () => client.payments.create(await paymentOrder());
  async function refundOrder() {
    const { id } = await payment();
    return { amount: 10_000, payment_id: id, reason: 'others' as const };
  }

  async function receiveDelivery(): Promise<Delivery> {
    const events = ['source.chargeable'];
    const { attributes } = await client.webhooks.create({ url: `${origin}/receiver`, events });
    await paymentOrder();
    const late = sleep(10_000, undefined, { ref: false }).then(() => {
      throw new Error('No delivery came within 10 s.');
    });
    return { ...(await Promise.race([firstDelivery, late])), secret: attributes.secret_key ?? '' };
  }

  return {
    card,
    intentOrder,
    sourceOrder,
    linkOrder,
    /** Its url is new at each call, because a url can be registered once. */
    webhookOrder,
    paymentOrder,
    refundOrder,
    addFault,
    intent: () => client.paymentIntents.create(intentOrder),
    /** An intent whose money is held until it is captured. */
    async heldIntent() {
      const { id } = await client.paymentIntents.create({ ...intentOrder, capture_type: 'manual' });
      return client.paymentIntents.attach(id, { payment_method: (await method()).id });
    },
    method,
    webhook,
    disabledWebhook: async () => client.webhooks.disable((await webhook()).id),
    source: () => client.sources.create(sourceOrder),
    link,
    archivedLink: async () => client.links.archive((await link()).id),
    payment,
    refund: async () => client.refunds.create(await refundOrder()),
    /** What the sandbox sends of an event. The same at each call. */
    delivery: () => (signed ??= receiveDelivery()),
    /** A resource as it is stored now. */
    async read(path: string, id: string): Promise<unknown> {
      const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
      const response = await fetch(`${origin}/v1/${path}/${id}`, { headers: { authorization } });
      return response.json();
    },
  };
}
