import { describe, expect, it } from 'vitest';
import { card, startProvider, startReceiver, until } from './testing/provider.ts';

const ORDER = { amount: 50_000, description: 'Coffee & <b>cake</b>' };

async function payableLink() {
  const stage = await startProvider();
  const link = await stage.client.links.create(ORDER);
  const path = `/checkout/${link.id}`;
  return { stage, link, path, fresh: () => stage.client.links.get(link.id) };
}

describe('the checkout page', () => {
  it('shows the description, escaped, and a labelled card form', async () => {
    const { link } = await payableLink();
    const response = await fetch(link.checkoutUrl);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).toContain('Coffee &amp; &lt;b&gt;cake&lt;/b&gt;');
    expect(page).toContain('Pay ₱500.00</button>');
    for (const label of ['Card number', 'Expiry', 'CVC', 'Name on card'])
      expect(page).toContain(`>${label}</label>`);
    expect(page).toContain('Payment sandbox — no real money');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).not.toContain('<script');
  });

  it.each(['5555444444444457', '4343 4343 4343 4345'])('accepts the card %s', async (number) => {
    const { stage, link, path, fresh } = await payableLink();
    const receiver = await startReceiver();
    await receiver.listen(stage, ['payment.paid', 'link.payment.paid', 'checkout_session.payment.paid']);
    const answer = await stage.submit(`${path}/card`, card(number));
    expect(answer.status).toBe(303);
    expect(await (await fetch(link.checkoutUrl)).text()).toContain('Payment successful');
    const paid = await fresh();
    expect(paid.status).toBe('paid');
    expect(paid.payments).toHaveLength(1);
    expect(paid.payments[0]?.attributes).toMatchObject({
      amount: 50_000,
      status: 'paid',
      external_reference_number: link.referenceNumber,
      metadata: { pm_reference_number: link.referenceNumber },
    });
    const intentId = paid.payments[0]?.attributes.payment_intent_id ?? '';
    const intent = await stage.client.paymentIntents.get(intentId);
    expect(intent.attributes.payments?.map(({ id }) => id)).toEqual([paid.payments[0]?.id]);
    await until(() => receiver.received.length === 3);
    expect(receiver.types().toSorted()).toEqual([
      'checkout_session.payment.paid',
      'link.payment.paid',
      'payment.paid',
    ]);
    expect(receiver.received.every(({ signed }) => signed)).toBe(true);
  });

  it.each([
    ['4200000000000018', 'card_expired'],
    ['5100000000000198', 'insufficient_funds'],
    ['4500000000000003', 'generic_decline'],
    ['4111111111111111', 'processor_timeout'],
    ['4500000000000015', 'generic_decline'],
    ['5300000000000196', 'generic_decline'],
    ['4600000000000014', 'generic_decline'],
  ])('refuses the card %s with %s, and the payer can try again', async (number, code) => {
    const { stage, path, fresh } = await payableLink();
    const receiver = await startReceiver();
    await receiver.listen(stage);
    const answer = await stage.submit(`${path}/card`, card(number));
    const next = answer.headers.get('location') ?? '';
    expect(next).toContain(`failed=${code}`);
    expect(await (await fetch(stage.origin + next)).text()).toContain('Payment failed.');
    expect((await fresh()).status).toBe('unpaid');
    await until(() => receiver.received.length === 1);
    expect(receiver.types()).toEqual(['payment.failed']);
    await stage.submit(`${path}/card`, card('5555444444444457'));
    expect((await fresh()).status).toBe('paid');
  });

  it.each([
    ['4120000000000007', '/card'],
    ['', '/gcash'],
    ['', '/qrph'],
  ])('asks the payer (%s%s), who may authorize or fail', async (number, way) => {
    const { stage, path, fresh } = await payableLink();
    const openAuthorization = async () => {
      const answer = await stage.submit(path + way, { ...card(number), return_url: '/done?x=1' });
      return (answer.headers.get('location') ?? '').replace('/sandbox/provider', '');
    };
    const first = await openAuthorization();
    expect(await (await fetch(stage.address + first)).text()).toContain('>Authorize</button>');
    const failed = await stage.submit(first, { decision: 'fail' });
    expect(failed.headers.get('location')).toContain('failed=authentication_error');
    expect((await fresh()).status).toBe('unpaid');

    const second = await openAuthorization();
    const done = await stage.submit(second, { decision: 'authorize' });
    const result = await (await fetch(stage.origin + done.headers.get('location'))).text();
    expect(result).toContain('Payment successful');
    expect(result).toContain('href="/done?x=1">Return</a>');
    expect((await fresh()).status).toBe('paid');
    await stage.submit(second, { decision: 'authorize' });
    expect((await fresh()).payments).toHaveLength(1);
  });

  it.each([
    ['4343434343434345', { fee: 1_850, foreign_fee: 100, tax_amount: 35, net_amount: 8_085 }],
    ['5555444444444457', { fee: 1_850, foreign_fee: 0, tax_amount: 33, net_amount: 8_183 }],
    ['4200000000000018', { fee: 0, foreign_fee: 0, tax_amount: null, net_amount: 0 }],
  ])('keeps the fees of %s, less the tax withheld on them', async (number, expected) => {
    const { client, submit } = await startProvider({ settings: { withholds_tax: true } });
    const link = await client.links.create({ amount: 10_000, description: 'Tea' });
    await submit(`/checkout/${link.id}/card`, card(number));
    const [payment] = (await client.payments.list()).items;
    expect(payment?.attributes).toMatchObject({ amount: 10_000, ...expected });
  });

  it('waits while a payment is pending by a fault, and cannot be paid again', async () => {
    const { stage, link, path, fresh } = await payableLink();
    const receiver = await startReceiver();
    await receiver.listen(stage, ['payment.paid', 'link.payment.paid']);
    await stage.fault({ kind: 'delay_payment', times: 1, delay_ms: 3_600_000 });
    await stage.submit(`${path}/card`, card('5555444444444457'));
    expect(await (await fetch(link.checkoutUrl)).text()).toContain('Payment is being processed');
    await stage.submit(`${path}/card`, card('5555444444444457'));
    const { items } = await stage.client.payments.list();
    expect(items.map(({ attributes }) => [attributes.status, attributes.paid_at])).toEqual([
      ['pending', null],
    ]);
    expect(await fresh()).toMatchObject({ status: 'unpaid', payments: [] });
    await stage.control('/clock', { ms: 3_600_000 });
    await until(async () => (await fresh()).status === 'paid');
    await until(() => receiver.received.length === 2);
    expect(await (await fetch(link.checkoutUrl)).text()).toContain('Payment successful');
  });

  it.each([
    ['grab_pay', 10_000, 'parameter_above_maximum'],
    ['paymaya', 10_000, 'parameter_above_maximum'],
    ['qrph', 50_000, 'parameter_invalid'],
  ])('takes %s, of which %i of 50000 cannot be refunded', async (type, amount, code) => {
    const { stage, path, fresh } = await payableLink();
    const answer = await stage.submit(`${path}/${type}`, {});
    const page = (answer.headers.get('location') ?? '').replace('/sandbox/provider', '');
    await stage.submit(page, { decision: 'authorize' });
    const [payment] = (await fresh()).payments;
    expect(payment?.attributes.source?.type).toBe(type);
    const order = { amount, payment_id: payment?.id ?? '', reason: 'others' as const };
    const error = await stage.client.refunds.create(order).catch((thrown) => thrown);
    expect(error).toMatchObject({ errors: [{ code }] });
  });

  it('is paid once by two concurrent submits of a card', async () => {
    const { stage, path, fresh } = await payableLink();
    await Promise.all([1, 2].map(() => stage.submit(`${path}/card`, card('5555444444444457'))));
    expect((await fresh()).payments).toHaveLength(1);
  });

  it('is paid twice in two tabs that both ask the payer, and refunded when both payments are', async () => {
    const { stage, path, fresh } = await payableLink();
    const receiver = await startReceiver();
    await receiver.listen(stage, ['link.payment.paid']);
    const open = async (way: string) => {
      const answer = await stage.submit(path + way, card('4120000000000007'));
      return (answer.headers.get('location') ?? '').replace('/sandbox/provider', '');
    };
    const tabs = [await open('/card'), await open('/gcash')];
    for (const tab of tabs) await stage.submit(tab, { decision: 'authorize' });
    const { payments, status } = await fresh();
    expect(status).toBe('paid');
    expect(payments.map(({ attributes }) => attributes.source?.type)).toEqual(['card', 'gcash']);
    await until(() => receiver.received.length === 2);
    for (const [index, { id }] of payments.entries()) {
      const refund = await stage.client.refunds.create({
        amount: 50_000,
        payment_id: id,
        reason: 'duplicate',
      });
      await until(async () => (await stage.client.refunds.get(refund.id)).attributes.status === 'succeeded');
      expect((await fresh()).status).toBe(index === 0 ? 'paid' : 'refunded');
    }
  });

  it('cannot pay an archived link until it is unarchived', async () => {
    const { stage, link, path, fresh } = await payableLink();
    await stage.client.links.archive(link.id);
    expect((await stage.submit(`${path}/card`, card('5555444444444457'))).status).toBe(410);
    expect(await fresh()).toMatchObject({ status: 'unpaid', archived: true });
    await stage.client.links.unarchive(link.id);
    await stage.submit(`${path}/card`, card('5555444444444457'));
    expect((await fresh()).status).toBe('paid');
  });

  it('names what is wrong with each field, and refuses a card that is not a test card', async () => {
    const { stage, path } = await payableLink();
    const answer = await stage.submit(`${path}/card`, {
      ...card('4242424242424242'),
      expiry: '01/20',
      cvc: 'x',
    });
    const page = await answer.text();
    expect(answer.status).toBe(422);
    expect(page).toContain('Use one of the test cards below.');
    expect(page).toContain('Enter a date in the future.');
    expect(page).toContain('Enter the 3 or 4 digits.');
    expect((await stage.submit(`${path}/card`, {})).status).toBe(422);
    expect((await stage.submit('/checkout/link_nothing/card', {})).status).toBe(404);
  });

  it.each(['https://evil.example/x', '//evil.example', 'javascript:alert(1)', '/\\evil.example'])(
    'offers no way back to %s',
    async (address) => {
      const { stage, link, path } = await payableLink();
      await stage.submit(`${path}/card`, card('5555444444444457'));
      const page = await (
        await fetch(`${link.checkoutUrl}?return_url=${encodeURIComponent(address)}`)
      ).text();
      expect(page).toContain('Payment successful');
      expect(page).not.toContain('Return');
    },
  );

  it('can be cancelled without a charge', async () => {
    const { link, fresh } = await payableLink();
    const page = await (await fetch(`${link.checkoutUrl}/cancel?return_url=/plans`)).text();
    expect(page).toContain('Payment cancelled');
    expect(page).toContain('href="/plans"');
    expect((await fresh()).status).toBe('unpaid');
  });

  it('refuses a form posted by another site', async () => {
    const { stage, path, fresh } = await payableLink();
    const answer = await fetch(`${stage.address}${path}/card`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams(card('5555444444444457')),
    });
    expect(answer.status).toBe(403);
    expect((await fresh()).status).toBe('unpaid');
  });

  it.each(['"x"', '[]', '5', 'null', '{"return_url":{"a":1},"number":["1"]}'])(
    'answers a body of %s like an empty form',
    async (body) => {
      const { stage, path } = await payableLink();
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${stage.address}${path}/card`, { method: 'POST', headers, body });
      expect(answer.status).toBe(422);
    },
  );
});
