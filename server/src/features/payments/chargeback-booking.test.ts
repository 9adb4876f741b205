import { admin as confirming } from '@tara/contract/confirmations';
import { type Payment, PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import { insertMember } from '../../testing/members.ts';
import { newScene, type Scene, waitFor } from '../../testing/scene.ts';
import { type Till, tillTest } from '../../testing/till.ts';
import { notices } from '../notices/index.ts';
import { captureLink } from './capture.ts';
import { recordChargeback } from './chargebacks.ts';
import { balanceOf, cash, chargedBack, heldFor, losses, owedTo } from './ledger.ts';
import { proveLedger } from './ledger-check.ts';
import { payOut } from './payouts.ts';
import { reconcile } from './reconcile.ts';
import { payBack } from './refunds.ts';
import { chargebacks, payoutAttempts, payouts, refunds } from './tables.ts';

const price = 250_00;
/** The provider's test accounts: refused, and arriving. */
const [refusing, arriving] = ['999999990002', '999999990001'];

const test = tillTest
  .extend('admin', { scope: 'file' }, ({ till }) => insertMember(till.database, { admin: true }))
  .extend('scene', ({ till }) => newScene(till, { phoneNumber: 'none' }))
  .extend('refused', ({ till }) => newScene(till, { phoneNumber: refusing }))
  .extend(
    'confirm',
    { scope: 'file' },
    ({ till, admin }) =>
      async (interactionId: string) =>
        expect(
          (await till.server.call(admin, confirming.confirmPlans, { body: { interactionId } })).status,
        ).toBe(200),
  )
  /** What the provider says of a dispute about a payment. */
  .extend(
    'says',
    { scope: 'file' },
    ({ till }) =>
      (paymentId: string | null, status: 'needs_response' | 'won' | 'lost', amount = price) =>
        recordChargeback(till.context, {
          ...{ id: `dp_${paymentId}`, type: 'dispute' },
          attributes: { amount, status, payment_id: paymentId },
        }),
  )
  .extend('payoutOf', { scope: 'file' }, ({ till }) => async (id: string) => {
    const [row] = await till.database.select().from(payouts).where(eq(payouts.interactionId, id));
    return row;
  })
  .extend('refundsOf', { scope: 'file' }, ({ till }) => async (id: string) => {
    const rows = await till.database.select().from(refunds).where(eq(refunds.interactionId, id));
    return rows.map((row) => [row.id, row.amountCentavos]);
  })
  /** Another payment for a request, of which the provider knows nothing, so that its refund waits. */
  .extend('payAgain', { scope: 'file' }, ({ till }) => async (linkId: string | null, id: string) => {
    const attributes = {
      ...{ amount: price, currency: 'PHP', fee: 0, net_amount: price, status: 'paid' },
      source: { id: 'src_1', type: 'card' },
    };
    const payment = { id, type: 'payment', attributes };
    await captureLink(till.context, { id: linkId, status: 'paid', payments: [payment] } as never);
  });

test.afterEach(async ({ till }) => {
  expect((await proveLedger(till.database)).differences).toEqual([]);
});

test('a lost part of a payout that was not sent leaves the rest to the creator, who reads so', async ({
  till,
  scene,
  confirm,
  says,
  payoutOf,
}) => {
  const id = await scene.fulfilled();
  await confirm(id);
  const { paymentId } = await scene.row(id);
  const before = await balanceOf(till.database, cash);
  await says(paymentId, 'lost', 100_00);
  expect(await payoutOf(id)).toMatchObject({ amountCentavos: 150_00, state: 'owed' });
  expect(await owedTo(till.database, scene.creator.profileId)).toBe(150_00);
  expect(await balanceOf(till.database, cash)).toBe(before - till.platform.config.chargebackFeeCentavos);
  const [notice] = (await till.database.select().from(notices).where(eq(notices.interactionId, id))).filter(
    ({ event }) => event === 'chargedBack',
  );
  expect(notice?.details).toEqual({ amount: '10000', rest: '0', earned: '15000' });
});

test('a payout whose sending was refused is frozen, and is sent to nobody when the chargeback is lost', async ({
  till,
  refused,
  confirm,
  says,
  payoutOf,
}) => {
  const id = await refused.fulfilled();
  await confirm(id);
  await expect.poll(async () => (await payoutOf(id))?.attempt, waitFor).toBe(2);
  const { paymentId } = await refused.row(id);
  await says(paymentId, 'needs_response');
  expect((await refused.row(id)).frozenAt).not.toBeNull();
  expect(await owedTo(till.database, refused.creator.profileId)).toBe(0);
  await till.sql`update profiles set phone_number = ${arriving ?? ''} where id = ${refused.creator.profileId}`;
  await till.sql`update payouts set updated_at = now() - interval '2 hours' where id = ${id}`;
  await till.reconcile();
  await says(paymentId, 'lost');
  expect(await payoutOf(id)).toBeUndefined();
  expect(await refused.row(id)).toMatchObject({ paidOutAt: null, chargedBackAt: expect.any(Date) });
  const transfers = await till.provider.client.transfers.findByReference(id);
  expect(transfers.map(({ status }) => status)).toEqual(['failed']);
});

test('a refund by a transfer that was refused is not owed any more', async ({
  till,
  scene,
  says,
  payoutOf,
}) => {
  const id = await scene.paid();
  const { paymentId } = await scene.row(id);
  await till.provider.control(`/payments/${paymentId}/age`, { days: 61 });
  await till.sql`update interactions set refund_number = ${refusing ?? ''} where id = ${id}`;
  await scene.step(scene.client, 'cancelRequest', id);
  await expect.poll(async () => (await payoutOf(id))?.attempt, waitFor).toBe(2);
  await says(paymentId, 'lost');
  expect(await payoutOf(id)).toBeUndefined();
  expect(await till.database.$count(refunds, eq(refunds.id, id))).toBe(0);
});

test('what a second payment is owed back is not refunded twice when the first one is lost', async ({
  till,
  scene,
  says,
  payAgain,
  refundsOf,
}) => {
  const id = await scene.paid();
  const { paymentId, linkId } = await scene.row(id);
  await payAgain(linkId, `pay_second${id}`);
  await says(paymentId, 'lost');
  expect(await scene.row(id)).toMatchObject({ cancelReason: 'charged_back', refundCentavos: 0 });
  expect(await refundsOf(id)).toEqual([[`pay_second${id}`, price]]);
  expect(await heldFor(till.database, id)).toBe(price);
});

test('a lost second payment cancels its own refund, and the request continues', async ({
  till,
  scene,
  says,
  payAgain,
  refundsOf,
}) => {
  const id = await scene.paid();
  const { linkId } = await scene.row(id);
  await payAgain(linkId, `pay_second${id}`);
  const before = await balanceOf(till.database, losses);
  await says(`pay_second${id}`, 'lost');
  expect(await refundsOf(id)).toEqual([]);
  expect(await scene.row(id)).toMatchObject({ stage: 'paid', frozenAt: null, chargedBackAt: null });
  expect(await heldFor(till.database, id)).toBe(price);
  expect(await balanceOf(till.database, losses)).toBe(before);
  const [row] = await till.database.select().from(chargebacks).where(eq(chargebacks.interactionId, id));
  expect(row?.paymentId).toBe(`pay_second${id}`);
});

test('a payment that its link did not name ends its request when it is lost', async ({
  till,
  scene,
  says,
}) => {
  const id = await scene.requested();
  const { linkId } = await scene.row(id);
  const unnamed = { id: linkId, status: 'paid', payments: [], amount: price, currency: 'PHP' };
  await captureLink(till.context, unnamed as never);
  await till.sql`update interactions set payment_id = ${`pay_late${id}`} where id = ${id}`;
  const before = await balanceOf(till.database, chargedBack);
  await says(`pay_late${id}`, 'lost');
  expect(await scene.row(id)).toMatchObject({ stage: 'cancelled', cancelReason: 'charged_back' });
  expect(await balanceOf(till.database, chargedBack)).toBe(before - price);
});

test('a chargeback that is lost while a payout is being sent reduces what is sent', async ({
  till,
  confirm,
  says,
  payoutOf,
}) => {
  const scene = await newScene(till, { phoneNumber: 'none' });
  const id = await scene.fulfilled();
  await confirm(id);
  const { paymentId } = await scene.row(id);
  await till.sql`update profiles set phone_number = ${arriving ?? ''} where id = ${scene.creator.profileId}`;
  const { client } = till.provider;
  const wallets: typeof client.wallets = {
    ...client.wallets,
    list: async (...query) => {
      await says(paymentId, 'lost', 100_00);
      return client.wallets.list(...query);
    },
  };
  await payOut({ ...till.context, provider: { ...client, wallets } }, id);
  await expect.poll(async () => (await payoutOf(id))?.state, waitFor).toBe('paid');
  const sent = await client.transfers.findByReference(id);
  expect(sent.map(({ amount }) => amount)).toEqual([150_00]);
});

test('a chargeback that is lost while a refund becomes a transfer reduces it', async ({
  till,
  scene,
  says,
  payoutOf,
}) => {
  const id = await scene.paid();
  const { paymentId } = await scene.row(id);
  await till.provider.control(`/payments/${paymentId}/age`, { days: 61 });
  await till.sql`update interactions set cancelled_at = now(), cancel_reason = 'declined',
    refund_centavos = 25000 where id = ${id}`;
  const refund = { id, interactionId: id, paymentId: paymentId ?? '', amountCentavos: price };
  await till.database.insert(refunds).values(refund);
  const { client } = till.provider;
  const payments: typeof client.payments = {
    ...client.payments,
    get: async (payment) => {
      await says(paymentId, 'lost', 100_00);
      return client.payments.get(payment);
    },
  };
  await payBack({ ...till.context, provider: { ...client, payments } }, id);
  expect(await payoutOf(id)).toMatchObject({ id: `${id}-refund`, amountCentavos: 150_00 });
});

test('a lost second payment that is on its way back already is a loss, and the request keeps its money', async ({
  till,
  scene,
  says,
  payAgain,
}) => {
  const id = await scene.paid();
  const { linkId, clientId: recipientId } = await scene.row(id);
  const second = `pay_sent${id}`;
  await payAgain(linkId, second);
  await till.sql`update refunds set way = 'transfer' where id = ${second}`;
  const payoutId = `${second}-refund`;
  const payout = {
    id: payoutId,
    interactionId: id,
    recipientId,
    amountCentavos: price,
    number: '09171234567',
  };
  await till.database.insert(payouts).values({ ...payout, purpose: 'refund', state: 'sending' });
  await till.database.insert(payoutAttempts).values({
    ...{ payoutId, attempt: 1, idempotencyKey: payoutId },
    destination: { number: arriving ?? '', name: 'Ana', bic: 'GXCHPHM2XXX' },
  });
  const before = await balanceOf(till.database, losses);
  await says(second, 'lost');
  expect(await scene.row(id)).toMatchObject({ stage: 'paid', frozenAt: null, chargedBackAt: null });
  const refundOf = async () => (await till.database.select().from(refunds).where(eq(refunds.id, second)))[0];
  await expect.poll(async () => (await refundOf())?.state, waitFor).toBe('refunded');
  expect(await heldFor(till.database, id)).toBe(price);
  expect(await balanceOf(till.database, losses)).toBe(before + price);
});

test('two payments of a request are disputed: the second is not taken for the request’s own', async ({
  till,
  scene,
  says,
  payAgain,
  refundsOf,
}) => {
  const id = await scene.paid();
  const { paymentId, linkId } = await scene.row(id);
  const second = `pay_second${id}`;
  await payAgain(linkId, second);
  await says(second, 'needs_response');
  await says(paymentId, 'needs_response');
  expect(await heldFor(till.database, id)).toBe(0);
  await says(paymentId, 'lost');
  expect(await scene.row(id)).toMatchObject({ stage: 'cancelled', cancelReason: 'charged_back' });
  await says(second, 'lost');
  expect(await refundsOf(id)).toEqual([]);
  expect(await heldFor(till.database, id)).toBe(0);
});

test('a part of the own payment is lost while the second one is frozen: the rest goes back', async ({
  till,
  scene,
  says,
  payAgain,
  refundsOf,
}) => {
  const id = await scene.paid();
  const { paymentId, linkId } = await scene.row(id);
  const second = `pay_second${id}`;
  await payAgain(linkId, second);
  await says(paymentId, 'needs_response', 100_00);
  await says(second, 'needs_response');
  await says(paymentId, 'lost', 100_00);
  expect(await scene.row(id)).toMatchObject({ cancelReason: 'charged_back', refundCentavos: 150_00 });
  expect(await refundsOf(id)).toEqual(
    expect.arrayContaining([
      [id, 150_00],
      [second, price],
    ]),
  );
  await says(second, 'won');
  expect(await heldFor(till.database, id)).toBe(400_00);
});

describe('a refund whose order may be at the provider', () => {
  /** Sends the refund of a cancelled request; whether the provider has the order is not known. */
  const loseAnswer = async (till: Till, id: string) => {
    const { client } = till.provider;
    const create = vi.fn<typeof client.refunds.create>(async () => {
      throw new PaymongoUnreachable('timeout', 'POST /v1/refunds');
    });
    const provider = { ...client, refunds: { ...client.refunds, create } };
    await expect(payBack({ ...till.context, provider }, id)).rejects.toThrow(PaymongoUnreachable);
    expect(create).toHaveBeenCalledOnce();
  };
  const cancelled = async (till: Till, scene: Scene) => {
    const id = await scene.paid();
    const { paymentId } = await scene.row(id);
    await till.sql`update interactions set cancelled_at = now(), cancel_reason = 'declined',
      refund_centavos = 25000 where id = ${id}`;
    const refund = { id, interactionId: id, paymentId: paymentId ?? '', amountCentavos: price };
    await till.database.insert(refunds).values(refund);
    return { id, paymentId };
  };
  const refundOf = async (till: Till, id: string) =>
    (await till.database.select().from(refunds).where(eq(refunds.id, id)))[0];

  test('is not reduced by a part that is lost, and arrives once', async ({ till, scene, says }) => {
    const { id, paymentId } = await cancelled(till, scene);
    await loseAnswer(till, id);
    const before = await balanceOf(till.database, losses);
    await says(paymentId, 'needs_response', 100_00);
    await says(paymentId, 'lost', 100_00);
    expect(await refundOf(till, id)).toMatchObject({ amountCentavos: price });
    await payBack(till.context, id);
    await expect.poll(async () => (await refundOf(till, id))?.state, waitFor).toBe('refunded');
    const payment = await till.provider.client.payments.get(paymentId ?? '');
    expect(payment.attributes.refunds?.map(({ attributes }) => attributes.amount)).toEqual([price]);
    expect(await balanceOf(till.database, losses)).toBe(before + 100_00);
  });

  test('is followed up while the payment is frozen', async ({ till, scene, says }) => {
    const { id, paymentId } = await cancelled(till, scene);
    await loseAnswer(till, id);
    await says(paymentId, 'needs_response');
    await till.sql`update refunds set updated_at = now() - interval '2 hours' where id = ${id}`;
    await till.reconcile();
    await expect.poll(async () => (await refundOf(till, id))?.state, waitFor).toBe('refunded');
    await says(paymentId, 'lost');
    expect(await heldFor(till.database, id)).toBe(0);
  });

  test('is not begun once the payment is frozen', async ({ till, scene, says }) => {
    const { id, paymentId } = await cancelled(till, scene);
    const { client } = till.provider;
    const create = vi.fn(client.refunds.create);
    const context = {
      ...till.context,
      provider: { ...client, refunds: { ...client.refunds, create } },
    };
    const { sending } = await till.database.transaction(async (transaction) => {
      await transaction.execute(sql`select from interactions where id = ${id} for update`);
      const sending = payBack(context, id);
      const waiting = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(() => till.database.execute(waiting), waitFor).not.toHaveLength(0);
      await transaction.execute(sql`update interactions set frozen_at = now() where id = ${id}`);
      return { sending };
    });
    await sending;
    expect(create).not.toHaveBeenCalled();
    await till.sql`update interactions set frozen_at = null where id = ${id}`;
    await says(paymentId, 'lost');
    expect(await refundOf(till, id)).toBeUndefined();
  });
});

test('a second payment’s refund that was refused after the dispute began is not owed once it is lost', async ({
  till,
  scene,
  says,
  payAgain,
  refundsOf,
}) => {
  const id = await scene.paid();
  const { linkId } = await scene.row(id);
  const second = `pay_second${id}`;
  await payAgain(linkId, second);
  await till.sql`update refunds set refund_id = 'ref_1', state = 'sending' where id = ${second}`;
  await says(second, 'needs_response');
  await till.sql`update refunds set refund_id = null, attempt = attempt + 1 where id = ${second}`;
  const before = await balanceOf(till.database, losses);
  await says(second, 'lost');
  expect(await refundsOf(id)).toEqual([]);
  expect(await heldFor(till.database, id)).toBe(price);
  expect(await balanceOf(till.database, losses)).toBe(before);
  expect(await scene.row(id)).toMatchObject({ stage: 'paid', chargedBackAt: null });
});

test('what is left of a second payment that was lost in part goes back by a transfer', async ({
  till,
  scene,
  says,
  payAgain,
  payoutOf,
}) => {
  const id = await scene.paid();
  const { linkId } = await scene.row(id);
  const second = `pay_second${id}`;
  await payAgain(linkId, second);
  await says(second, 'lost', 100_00);
  const { client } = till.provider;
  const attributes = {
    amount: price,
    currency: 'PHP',
    status: 'paid',
    source: { id: 'src_1', type: 'card' },
  };
  const paid_at = Math.floor(Date.now() / 1000);
  const payment = { id: second, type: 'payment', attributes: { ...attributes, paid_at } };
  const provider = {
    ...client,
    payments: { ...client.payments, get: async () => payment as unknown as Payment },
    refunds: {
      ...client.refunds,
      create: async () => {
        throw new PaymongoError(400, [{ code: 'resource_disputed_state', detail: 'It is disputed.' }], {});
      },
    },
  };
  await payBack({ ...till.context, provider }, second);
  expect(await payoutOf(id)).toMatchObject({ id: `${second}-refund`, amountCentavos: 150_00 });
});

test('a dispute without a payment’s name finds one that its link named late', async ({ till, scene }) => {
  const id = await scene.requested();
  const { linkId } = await scene.row(id);
  const unnamed = { id: linkId, status: 'paid', payments: [], amount: price, currency: 'PHP' };
  await captureLink(till.context, unnamed as never);
  const late = `pay_late${id}`;
  await till.sql`update interactions set payment_id = ${late} where id = ${id}`;
  const { client } = till.provider;
  const payment = { id: late, type: 'payment', attributes: { amount: price, disputed: true } };
  const payments = {
    ...client.payments,
    list: async () => ({ items: [payment] }),
    get: async () => ({ ...payment, attributes: { ...payment.attributes, disputed: false } }),
  } as unknown as typeof client.payments;
  const disputes: typeof client.disputes = {
    ...client.disputes,
    list: async () => {
      throw new PaymongoError(403, [{ code: 'forbidden', detail: 'Not for this account.' }], {});
    },
  };
  const context = { ...till.context, provider: { ...client, payments, disputes } };
  const dispute = {
    id: `dp_${late}`,
    type: 'dispute',
    attributes: { amount: price, status: 'needs_response' },
  };
  await recordChargeback(context, dispute);
  const stateOf = async () =>
    (await till.database.select().from(chargebacks).where(eq(chargebacks.interactionId, id)))[0]?.state;
  expect(await stateOf()).toBe('open');
  expect((await scene.row(id)).frozenAt).not.toBeNull();
  // An account that may not read disputes asks for the payment, by its name.
  await reconcile(context);
  expect(await stateOf()).toBe('won');
});
