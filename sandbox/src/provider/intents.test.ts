import type { PaymentIntent } from '@tara/paymongo';
import { describe, expect, it } from 'vitest';
import { TEST_CARDS } from './cards.ts';
import { refusal, type StartedProvider, startProvider, startReceiver, until } from './testing/provider.ts';

describe('payment intents', () => {
  const intentOrder = { amount: 2_000, currency: 'PHP', payment_method_allowed: ['card', 'gcash'] };
  const details = (card_number: string) => ({ card_number, exp_month: 12, exp_year: 2034, cvc: '123' });

  it('are paid with a card of which only the last digits are stored (§7-provider-intents, §7-provider-methods)', async () => {
    const { client } = await startProvider();
    const intent = await client.paymentIntents.create({ ...intentOrder, metadata: { order: '7' } });
    const method = await client.paymentMethods.create({ type: 'card', details: details('5555444444444457') });
    expect(method.attributes.details).toEqual({ last4: '4457', exp_month: 12, exp_year: 2034 });
    expect(await client.paymentMethods.get(method.id)).toEqual(method);
    expect(method.attributes).toMatchObject({ billing: null, metadata: null });
    const short = { ...details('5555444444444457'), exp_year: 34 };
    const billing = { name: 'Ana', email: 'ana@example.com', address: { city: 'Cebu' } };
    const billed = await client.paymentMethods.create({ type: 'card', details: short, billing });
    const address = { city: 'Cebu', country: null, line1: null, line2: null, postal_code: null, state: null };
    expect(billed.attributes).toMatchObject({
      details: { exp_year: 2034 },
      billing: { ...billing, phone: null, address },
    });
    const paid = await client.paymentIntents.attach(intent.id, { payment_method: method.id });
    expect(paid.attributes.status).toBe('succeeded');
    expect(paid.attributes.payments?.[0]?.attributes).toMatchObject({
      status: 'paid',
      metadata: { order: '7' },
    });
    expect(
      (await refusal(client.paymentIntents.attach(intent.id, { payment_method: method.id }))).status,
    ).toBe(400);
  });

  it('report why a card was refused, and can be paid again (§7-provider-intents)', async () => {
    const { client } = await startProvider();
    const intent = await client.paymentIntents.create(intentOrder);
    const method = await client.paymentMethods.create({ type: 'card', details: details('4200000000000018') });
    const error = await refusal(client.paymentIntents.attach(intent.id, { payment_method: method.id }));
    expect(error.errors[0]).toMatchObject({ code: 'resource_failed_state', sub_code: 'card_expired' });
    const key = { client_key: intent.attributes.client_key };
    expect((await client.paymentIntents.get(intent.id, key)).attributes).toMatchObject({
      status: 'awaiting_payment_method',
      last_payment_error: { failed_code: 'card_expired' },
    });
    expect((await refusal(client.paymentIntents.get(intent.id, { client_key: 'wrong' }))).status).toBe(400);
  });

  it('wait for 3-D Secure', async () => {
    const { client, submit, address } = await startProvider();
    const intent = await client.paymentIntents.create(intentOrder);
    const method = await client.paymentMethods.create({ type: 'card', details: details('4120000000000007') });
    const attached = await client.paymentIntents.attach(intent.id, { payment_method: method.id });
    expect(attached.attributes.status).toBe('awaiting_next_action');
    const page = (attached.attributes.next_action?.redirect?.url ?? '').slice(address.length);
    await submit(page, { decision: 'authorize' });
    expect((await client.paymentIntents.get(intent.id)).attributes.status).toBe('succeeded');
  });

  it('are paid with the public key and their client key, and with nothing else of it', async () => {
    const { client, payer } = await startProvider();
    const intent = await client.paymentIntents.create(intentOrder);
    const method = await payer.paymentMethods.create({ type: 'card', details: details('5555444444444457') });
    expect((await payer.paymentMethods.get(method.id)).id).toBe(method.id);
    const { client_key } = intent.attributes;
    expect((await payer.paymentIntents.get(intent.id, { client_key })).id).toBe(intent.id);
    const attachment = { payment_method: method.id };
    const refusals = [
      () => payer.paymentIntents.get(intent.id),
      () => payer.paymentIntents.attach(intent.id, attachment),
      () => payer.paymentIntents.create(intentOrder),
      () => payer.payments.list(),
      () => payer.wallets.list(),
    ];
    for (const call of refusals) {
      expect(await refusal(call())).toMatchObject({
        status: 401,
        errors: [{ code: 'secret_key_required' }],
      });
    }
    expect((await refusal(payer.paymentIntents.get(intent.id, { client_key: 'wrong' }))).status).toBe(400);
    const paid = await payer.paymentIntents.attach(intent.id, { ...attachment, client_key });
    expect(paid.attributes.status).toBe('succeeded');
  });

  it('can be given up until they succeeded', async () => {
    const { client } = await startProvider();
    const intent = await client.paymentIntents.create(intentOrder);
    expect((await client.paymentIntents.cancel(intent.id)).attributes.status).toBe('cancelled');
    expect((await refusal(client.paymentIntents.cancel(intent.id))).status).toBe(400);
    const method = await client.paymentMethods.create({ type: 'gcash' });
    expect(
      (await refusal(client.paymentIntents.attach(intent.id, { payment_method: method.id }))).status,
    ).toBe(400);
  });

  it('are processing while their payment is pending by a fault', async () => {
    const { client, fault, control } = await startProvider();
    await fault({ kind: 'delay_payment', times: 1, delay_ms: 60_000 });
    const intent = await client.paymentIntents.create(intentOrder);
    const method = await client.paymentMethods.create({ type: 'card', details: details('5555444444444457') });
    const attached = await client.paymentIntents.attach(intent.id, { payment_method: method.id });
    expect(attached.attributes.status).toBe('processing');
    expect(attached.attributes.payments?.[0]?.attributes.status).toBe('pending');
    await control('/clock', { ms: 60_000 });
    await until(async () => (await client.paymentIntents.get(intent.id)).attributes.status === 'succeeded');
  });

  it('are paid by a code that is scanned, or that expires', async () => {
    const stage = await startProvider();
    const { client, submit, control, address } = stage;
    const receiver = await startReceiver();
    await receiver.listen(stage, ['qrph.expired']);
    const intent = await client.paymentIntents.create({ ...intentOrder, payment_method_allowed: ['qrph'] });
    const method = await client.paymentMethods.create({ type: 'qrph' });
    const attach = () => client.paymentIntents.attach(intent.id, { payment_method: method.id });
    const first = await attach();
    expect(first.attributes).toMatchObject({
      status: 'awaiting_next_action',
      next_action: {
        type: 'consume_qr',
        code: { amount: 2_000, image_url: expect.stringMatching(/^data:image.png/) },
      },
    });
    await control('/clock', { ms: 30 * 60_000 });
    await until(() => receiver.received.length === 1);
    expect(receiver.received[0]?.event.data.attributes.data).toMatchObject({
      type: 'qrph',
      attributes: { payment_intent_id: intent.id, source_status: 'expired' },
    });
    expect((await client.paymentIntents.get(intent.id)).attributes.status).toBe('awaiting_payment_method');
    const second = await attach();
    const page = String(second.attributes.next_action?.code?.test_url).slice(address.length);
    await submit(page, { decision: 'authorize' });
    const { status, payments } = (await client.paymentIntents.get(intent.id)).attributes;
    expect(status).toBe('succeeded');
    const order = { amount: 2_000, payment_id: payments?.[0]?.id ?? '', reason: 'others' as const };
    expect((await refusal(client.refunds.create(order))).has('parameter_invalid')).toBe(true);
  });
});

describe('a held intent', () => {
  const order = { amount: 50_000, currency: 'PHP', payment_method_allowed: ['card'] };

  async function heldIntent({ client }: StartedProvider): Promise<PaymentIntent> {
    const intent = await client.paymentIntents.create({ ...order, capture_type: 'manual' });
    const details = { card_number: '5555444444444457', exp_month: 12, exp_year: 2034, cvc: '123' };
    const method = await client.paymentMethods.create({ type: 'card', details });
    return client.paymentIntents.attach(intent.id, { payment_method: method.id });
  }

  it('is captured in part or as a whole, once', async () => {
    const stage = await startProvider();
    const { paymentIntents } = stage.client;
    const held = await heldIntent(stage);
    expect(held.attributes).toMatchObject({ status: 'awaiting_capture', payments: [] });
    expect((await refusal(paymentIntents.capture(held.id, 50_001))).has('parameter_above_maximum')).toBe(
      true,
    );
    const captured = await paymentIntents.capture(held.id, 30_000);
    expect(captured.attributes).toMatchObject({
      status: 'succeeded',
      amount: 30_000,
      original_amount: 50_000,
    });
    expect(captured.attributes.payments?.map(({ attributes }) => attributes.amount)).toEqual([30_000]);
    expect((await refusal(paymentIntents.capture(held.id))).status).toBe(400);
    const whole = await paymentIntents.capture((await heldIntent(stage)).id);
    expect(whole.attributes).toMatchObject({ status: 'succeeded', amount: 50_000 });
  });

  it('is released by a cancellation, or after seven days', async () => {
    const stage = await startProvider();
    const { paymentIntents } = stage.client;
    const [first, second] = [await heldIntent(stage), await heldIntent(stage)];
    expect((await paymentIntents.cancel(first.id)).attributes.status).toBe('cancelled');
    await stage.control('/clock', { days: 7 });
    await until(async () => (await paymentIntents.get(second.id)).attributes.status === 'cancelled');
    expect((await refusal(paymentIntents.capture(second.id))).status).toBe(400);
    expect((await stage.client.payments.list()).items).toEqual([]);
  });
});

describe('a test card', () => {
  it.each(TEST_CARDS.map((card) => [card.number, card.effect, card.outcome] as const))(
    '%s: %s',
    async (card_number, _effect, outcome) => {
      const { client, submit, address } = await startProvider();
      const order = { amount: 10_000, currency: 'PHP', payment_method_allowed: ['card'] };
      const intent = await client.paymentIntents.create({
        ...order,
        payment_method_options: { card: { request_three_d_secure: 'any' } },
      });
      const details = { card_number, exp_month: 12, exp_year: 2034, cvc: '123' };
      const { id } = await client.paymentMethods.create({ type: 'card', details });
      const attaching = client.paymentIntents.attach(intent.id, { payment_method: id });
      if (outcome.kind === 'fails') {
        expect((await refusal(attaching)).errors).toMatchObject([{ sub_code: outcome.code }]);
      } else {
        const page = (await attaching).attributes.next_action?.redirect?.url.slice(address.length);
        expect(page !== undefined).toBe(outcome.kind !== 'succeeds');
        if (page) await submit(page, { decision: 'authorize' });
      }
      const code = 'code' in outcome ? outcome.code : undefined;
      const { status, payments, last_payment_error } = (await client.paymentIntents.get(intent.id))
        .attributes;
      const [payment] = payments ?? [];
      expect(status).toBe(code ? 'awaiting_payment_method' : 'succeeded');
      expect(payment?.attributes).toMatchObject({ status: code ? 'failed' : 'paid' });
      expect(payment?.attributes.failed_code ?? undefined).toBe(code);
      const error = code ? { failed_code: code, payment: payment?.id, payment_method: id } : null;
      expect(last_payment_error).toEqual(error && expect.objectContaining(error));
    },
  );
});
