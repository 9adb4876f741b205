import { nowMs } from '@tara/contract/clock';
import { Dispute, PaymongoError } from '@tara/paymongo';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  json,
  newFolder,
  refusal,
  type StartedProvider,
  startProvider,
  startReceiver,
  until,
} from './testing/provider.ts';

const One = z.object({ data: Dispute });
async function paidPayment({ client, payLink }: StartedProvider, amount = 50_000) {
  await payLink(amount);
  const [payment] = (await client.payments.list()).items;
  if (!payment) throw new Error('no payment');
  return payment;
}

const refundOrder = (id: string, amount = 50_000) => ({ amount, payment_id: id, reason: 'others' as const });
const available = async ({ client }: StartedProvider) =>
  (await client.wallets.list())[0]?.balance?.available ?? 0;

describe('a dispute', () => {
  it('holds the amount and ₱800, stops refunds, and sends an event; a won one gives all of it back', async () => {
    const stage = await startProvider();
    const receiver = await startReceiver();
    await receiver.listen(stage, ['dispute.created', 'dispute.resolved']);
    const { id } = await paidPayment(stage);
    const before = await available(stage);
    const dispute = (await json(stage.control(`/payments/${id}/dispute`, {}), One)).data;
    expect(dispute).toMatchObject({
      id: expect.stringMatching(/^dsp_/),
      type: 'dispute',
      attributes: { amount: 50_000, status: 'needs_response', reason: 'fraudulent', payment_id: id },
    });
    expect(await stage.client.disputes.get(dispute.id)).toEqual(dispute);
    expect((await stage.client.payments.get(id)).attributes).toMatchObject({
      disputed: true,
      status: 'paid',
    });
    expect(await available(stage)).toBe(before - 50_000 - 80_000);
    expect((await refusal(stage.client.refunds.create(refundOrder(id)))).has('resource_disputed_state')).toBe(
      true,
    );
    expect((await stage.control(`/payments/${id}/dispute`, {})).status).toBe(400);

    await stage.control(`/disputes/${dispute.id}`, { status: 'under_review' });
    const won = (await json(stage.control(`/disputes/${dispute.id}`, { status: 'won' }), One)).data;
    expect(won.attributes.status).toBe('won');
    expect((await stage.control(`/disputes/${dispute.id}`, { status: 'lost' })).status).toBe(400);
    expect((await stage.client.payments.get(id)).attributes.disputed).toBe(false);
    expect(await available(stage)).toBe(before);
    await until(() => receiver.received.length === 2);
    expect(receiver.types()).toEqual(['dispute.created', 'dispute.resolved']);
    expect(receiver.received.map(({ event }) => event.data.attributes.data.attributes?.status)).toEqual([
      'needs_response',
      'won',
    ]);
  });

  it('that is lost keeps the amount, and the payment cannot be refunded or disputed again', async () => {
    const stage = await startProvider();
    const { id } = await paidPayment(stage);
    const before = await available(stage);
    const order = { amount: 20_000, reason: 'duplicate', names_payment: false };
    const { data } = await json(stage.control(`/payments/${id}/dispute`, order), One);
    expect(data.attributes).toMatchObject({ amount: 20_000, reason: 'duplicate', payment_id: null });
    await stage.control(`/disputes/${data.id}`, { status: 'lost' });
    expect(await available(stage)).toBe(before - 100_000);
    expect((await stage.client.disputes.list()).items.map(({ attributes }) => attributes.status)).toEqual([
      'lost',
    ]);
    expect((await refusal(stage.client.refunds.create(refundOrder(id)))).has('resource_disputed_state')).toBe(
      true,
    );
    expect((await stage.control(`/payments/${id}/dispute`, {})).status).toBe(400);
  });

  it('is opened and decided on the overview', async () => {
    const stage = await startProvider();
    const { id } = await paidPayment(stage);
    expect((await stage.submit('/disputes', { payment_id: id })).status).toBe(303);
    const [dispute] = (await stage.client.disputes.list()).items;
    expect(await (await fetch(`${stage.address}/`)).text()).toContain(`/disputes/${dispute?.id}`);
    expect((await stage.submit(`/disputes/${dispute?.id}`, { status: 'lost' })).status).toBe(303);
    expect((await stage.client.disputes.get(dispute?.id ?? '')).attributes.status).toBe('lost');
  });

  it.each([
    [{ amount: 50_001 }, 400],
    [{ amount: 'x' }, 400],
    [{ surprise: 1 }, 400],
  ])('is refused with %j', async (order, status) => {
    const stage = await startProvider();
    const { id } = await paidPayment(stage);
    expect((await stage.control(`/payments/${id}/dispute`, order)).status).toBe(status);
    expect((await stage.control('/payments/pay_none/dispute', {})).status).toBe(404);
    expect((await stage.control('/disputes/dsp_none', { status: 'won' })).status).toBe(404);
  });

  it('cannot be read by an account without access', async () => {
    const stage = await startProvider();
    await stage.fault({ kind: 'answer_403', path: '/v1/disputes', times: 1 });
    const error = await refusal(stage.client.disputes.list());
    expect(error).toMatchObject({ status: 403, errors: [{ code: 'access_denied' }] });
  });
});

describe('the time', () => {
  it('of a payment can be moved behind its refund window', async () => {
    const stage = await startProvider();
    const { id, attributes } = await paidPayment(stage);
    expect((await stage.control(`/payments/${id}/age`, { days: 61 })).status).toBe(200);
    const aged = (await stage.client.payments.get(id)).attributes;
    expect((attributes.paid_at ?? 0) - (aged.paid_at ?? 0)).toBe(61 * 86_400);
    expect((await refusal(stage.client.refunds.create(refundOrder(id)))).has('allowed_date_exceeded')).toBe(
      true,
    );
    expect((await stage.control(`/payments/${id}/age`, { days: -1 })).status).toBe(400);
    expect((await stage.control('/payments/pay_none/age', { days: 1 })).status).toBe(404);
  });

  it('can be set ahead, also across a restart, and deliveries are signed with the real one', async () => {
    const folder = newFolder();
    const first = await startProvider({ folder });
    const { id } = await paidPayment(first);
    expect((await first.control('/clock', { days: 61 })).status).toBe(200);
    expect((await first.control('/clock', {})).status).toBe(400);
    await first.stop();
    const second = await startProvider({ folder });
    expect((await refusal(second.client.refunds.create(refundOrder(id)))).has('allowed_date_exceeded')).toBe(
      true,
    );
    const receiver = await startReceiver();
    await receiver.listen(second, ['payment.paid']);
    const fresh = await paidPayment(second);
    expect((fresh.attributes.paid_at ?? 0) * 1000 - nowMs()).toBeGreaterThan(60 * 86_400_000);
    await until(() => receiver.received.length === 1);
    expect(receiver.received[0]?.signed).toBe(true);
  });
});

describe('the settings', () => {
  it('let captured money count only after two banking days', async () => {
    const stage = await startProvider();
    const changes = { opening_balance: 0, banking_days: true };
    expect((await stage.control('/settings', changes)).status).toBe(200);
    const { id, attributes } = await paidPayment(stage);
    const [wallet] = await stage.client.wallets.list();
    expect(wallet?.balance).toEqual({ available: 0, pending: attributes.net_amount });
    expect(
      (await refusal(stage.client.refunds.create(refundOrder(id, 40_000)))).has(
        'available_balance_insufficient',
      ),
    ).toBe(true);
    // Two banking days are at most four days.
    await stage.control('/clock', { days: 4 });
    expect(await available(stage)).toBe(attributes.net_amount);
    expect((await stage.client.refunds.create(refundOrder(id, 40_000))).attributes.status).toBe('pending');
  });

  it('are stored, and only the named ones change', async () => {
    const folder = newFolder();
    const first = await startProvider({ folder, settings: { withholds_tax: true } });
    await first.control('/settings', { opening_balance: 5 });
    expect((await first.control('/settings', { opening_balance: -1 })).status).toBe(400);
    expect((await first.control('/settings', { surprise: 1 })).status).toBe(400);
    await first.stop();
    const second = await startProvider({ folder, settings: { withholds_tax: true } });
    const Stored = z.object({
      data: z.looseObject({ opening_balance: z.number(), withholds_tax: z.boolean() }),
    });
    const { data } = await json(fetch(`${second.address}/settings`), Stored);
    expect(data).toMatchObject({ opening_balance: 5, withholds_tax: true });
  });

  it('refuse a webhook for events that the account does not know', async () => {
    const stage = await startProvider({ settings: { refused_events: ['dispute.'] } });
    const hook = { url: 'https://example.com/hook', events: ['payment.paid', 'dispute.created'] };
    expect(await refusal(stage.client.webhooks.create(hook))).toBeInstanceOf(PaymongoError);
    expect((await stage.client.webhooks.create({ ...hook, events: ['payment.paid'] })).id).toMatch(/^hook_/);
  });
});
