import type { Paymongo } from '@tara/paymongo';

/** What the calls of third-party clients need, each made by our own client. */
export type Fixtures = ReturnType<typeof createFixtures>;

/** `authorize` decides as the payer on a wallet's page. */
export function createFixtures(client: Paymongo, authorize: (sourceId: string) => Promise<void>) {
  let webhooks = 0;
  const redirect = { success: 'https://example.com/yes', failed: 'https://example.com/no' };
  const card = { card_number: '5555444444444457', exp_month: 12, exp_year: 2034, cvc: '123' };
  const intentOrder = { amount: 10_000, payment_method_allowed: ['card', 'gcash'] };
  const sourceOrder = { amount: 10_000, currency: 'PHP', type: 'gcash' as const, redirect };
  const linkOrder = { amount: 10_000, description: 'Tea', remarks: 'Two cups' };
  const webhookOrder = () => ({ url: `https://example.com/${++webhooks}`, events: ['payment.paid'] });

  async function paymentOrder() {
    const { id } = await client.sources.create(sourceOrder);
    await authorize(id);
    return { amount: 10_000, currency: 'PHP', source: { id, type: 'source' as const } };
  }
  const payment = async () => client.payments.create(await paymentOrder());
  async function refundOrder() {
    const { id } = await payment();
    return { amount: 10_000, payment_id: id, reason: 'others' as const };
  }

  return {
    card,
    redirect,
    intentOrder,
    sourceOrder,
    linkOrder,
    /** Its url is new at each call, because a url can be registered once. */
    webhookOrder,
    paymentOrder,
    refundOrder,
    intent: () => client.paymentIntents.create(intentOrder),
    method: () => client.paymentMethods.create({ type: 'card', details: card }),
    webhook: () => client.webhooks.create(webhookOrder()),
    source: () => client.sources.create(sourceOrder),
    link: () => client.links.create(linkOrder),
    payment,
    refund: async () => client.refunds.create(await refundOrder()),
  };
}
