import { interactions as calls } from '@tara/contract/interactions';
import { type Paymongo, PaymongoError } from '@tara/paymongo';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newScene, waitFor } from '../../testing/scene.ts';
import { tillTest } from '../../testing/till.ts';
import { readInteraction } from '../interactions/index.ts';
import { notices } from '../notices/index.ts';
import { balanceOf, fees, heldFor } from './ledger.ts';
import { payOut } from './payouts.ts';
import { payBack } from './refunds.ts';
import { payouts, refunds } from './tables.ts';

const test = tillTest
  .extend('scene', ({ till }) => newScene(till))
  /** The refund of a request, by hand: it has no job. `days` ago it was paid; another amount is a part. */
  .extend('owed', ({ till, scene }) => async ({ days = 0, amountCentavos = 250_00 } = {}) => {
    const interactionId = await scene.paid();
    const { paymentId } = await scene.row(interactionId);
    if (paymentId === null) throw new Error('the payment has no name');
    if (days > 0) await till.provider.control(`/payments/${paymentId}/age`, { days });
    const refund = { id: interactionId, interactionId, paymentId, amountCentavos };
    await till.sql`update interactions set cancelled_at = now(), cancel_reason = 'declined',
      refund_centavos = ${amountCentavos} where id = ${interactionId}`;
    await till.database.insert(refunds).values(refund);
    return interactionId;
  })
  .extend('refundOf', ({ till }) => async (id: string) => {
    const [refund] = await till.database.select().from(refunds).where(eq(refunds.id, id));
    const [payout] = await till.database
      .select()
      .from(payouts)
      .where(eq(payouts.id, `${id}-refund`));
    return { refund, payout };
  })
  .extend(
    'nameNumber',
    ({ till, scene }) =>
      (interactionId: string, number: string) =>
        till.server.call(scene.client, calls.setRefundNumber, { body: { interactionId, number } }),
  )
  .extend(
    'money',
    ({ till, scene }) =>
      async (id: string, who = scene.client) =>
        (await readInteraction(till.database, who, id)).money,
  );

test.afterEach(({ till }) => till.provider.clearFaults());

/** A provider whose payments were made by another method. */
function payingBy(client: Paymongo, type: string): Paymongo {
  const get: Paymongo['payments']['get'] = async (id) => {
    const payment = await client.payments.get(id);
    return { ...payment, attributes: { ...payment.attributes, source: { id: 'src_1', type } } };
  };
  return { ...client, payments: { ...client.payments, get } };
}

describe('a refund that the provider cannot give back', () => {
  test('of a card after 60 days waits for a number, and goes there once it is named', async ({
    till,
    scene,
    owed,
    refundOf,
    nameNumber,
    money,
  }) => {
    const id = await owed({ days: 61 });
    const feesBefore = await balanceOf(till.database, fees);
    await payBack(till.context, id);
    expect(await refundOf(id)).toMatchObject({
      refund: { way: 'transfer', refundId: null },
      payout: {
        purpose: 'refund',
        recipientId: scene.client.profileId,
        amountCentavos: 250_00,
        number: null,
      },
    });
    // Run twice it changes nothing.
    await payBack(till.context, id);
    await payOut(till.context, `${id}-refund`);
    expect((await money(id)).refund).toMatchObject({ state: 'needs_number', way: 'transfer', amount: 250 });
    expect((await money(id, scene.creator)).refund).toMatchObject({ state: 'needs_number' });
    const rows = await till.database.select().from(notices).where(eq(notices.interactionId, id));
    expect(rows.filter(({ event }) => event === 'refundNumber')).toMatchObject([
      { profileId: scene.client.profileId },
    ]);
    const before = await readInteraction(till.database, scene.client, id);
    expect(before).toMatchObject({ needsRefundNumber: true });
    expect((await nameNumber(id, '0917 765 4321')).status).toBe(200);
    await expect.poll(async () => (await refundOf(id)).refund?.state, waitFor).toBe('refunded');
    expect((await scene.row(id)).refundedAt).not.toBeNull();
    expect((await scene.row(id)).paidOutAt).toBeNull();
    expect((await money(id)).refund).toMatchObject({ state: 'arrived', problem: null });
    expect(await heldFor(till.database, id)).toBe(0);
    expect(await balanceOf(till.database, `refunded:${id}`)).toBe(-250_00);
    // Tara pays the fee of the transfer, not the client.
    expect((await balanceOf(till.database, fees)) - feesBefore).toBe(10_00);
    expect(await scene.transfers(id)).toEqual(['capture', 'refund']);
    const [sent] = await till.provider.client.transfers.findByReference(`${id}-refund`);
    expect(sent).toMatchObject({ amount: 250_00, destination_account: { number: '09177654321' } });
  });

  test('goes at once to the number that was named before paying', async ({ till, scene, owed, refundOf }) => {
    const id = await owed({ days: 61 });
    await till.sql`update interactions set refund_number = '09181112222' where id = ${id}`;
    await payBack(till.context, id);
    await expect.poll(async () => (await refundOf(id)).refund?.state, waitFor).toBe('refunded');
    expect((await scene.row(id)).refundedAt).not.toBeNull();
  });

  test.for([
    ['a part of a Maya payment', 'paymaya', 100_00],
    ['a part of a GrabPay payment', 'grab_pay', 100_00],
    ['a QR Ph payment', 'qrph', 250_00],
  ] as const)('is a transfer: %s', async ([_name, type, amountCentavos], { till, owed, refundOf }) => {
    const id = await owed({ amountCentavos });
    await payBack({ ...till.context, provider: payingBy(till.provider.client, type) }, id);
    expect(await refundOf(id)).toMatchObject({ refund: { way: 'transfer' }, payout: { amountCentavos } });
  });

  test('is none when the whole of a Maya payment goes back', async ({ till, owed, refundOf }) => {
    const id = await owed();
    await payBack({ ...till.context, provider: payingBy(till.provider.client, 'paymaya') }, id);
    expect(await refundOf(id)).toMatchObject({ refund: { way: 'provider' }, payout: undefined });
    await expect.poll(async () => (await refundOf(id)).refund?.state, waitFor).toBe('refunded');
  });

  test.for(['allowed_date_exceeded', 'parameter_below_minimum', 'payment_not_refundable'])(
    'is a transfer once the provider refused it for good: %s',
    async (code, { till, owed, refundOf }) => {
      const id = await owed();
      const { client } = till.provider;
      const create = async () => {
        throw new PaymongoError(400, [{ code, detail: code }], {});
      };
      await payBack({ ...till.context, provider: { ...client, refunds: { ...client.refunds, create } } }, id);
      expect(await refundOf(id)).toMatchObject({ refund: { way: 'transfer', lastError: null } });
    },
  );

  test('asks for another number when the named one was refused, and says why to its client alone', async ({
    till,
    scene,
    owed,
    refundOf,
    nameNumber,
    money,
  }) => {
    const id = await owed({ days: 61 });
    await payBack(till.context, id);
    // The sandbox's account that is not active.
    await nameNumber(id, '999999990004');
    await expect.poll(async () => (await money(id)).refund?.state, waitFor).toBe('needs_number');
    await expect.poll(async () => (await money(id)).refund?.problem, waitFor).toContain('inactive');
    expect((await money(id, scene.creator)).refund?.problem).toBeNull();
    expect((await nameNumber(id, '0917 765 4321')).status).toBe(200);
    await expect.poll(async () => (await refundOf(id)).refund?.state, waitFor).toBe('refunded');
    expect(await till.provider.client.transfers.findByReference(`${id}-refund`)).toHaveLength(2);
    expect(await heldFor(till.database, id)).toBe(0);
  });
});

describe('while the card issuer disputes the payment', () => {
  test('no refund is sent, and it is sent once that is decided', async ({ till, owed, refundOf, money }) => {
    const id = await owed();
    await till.sql`update interactions set frozen_at = now() where id = ${id}`;
    await payBack(till.context, id);
    await till.reconcile();
    expect((await refundOf(id)).refund).toMatchObject({ refundId: null });
    expect((await money(id)).refund).toMatchObject({ state: 'frozen' });
    await till.sql`update interactions set frozen_at = null where id = ${id}`;
    await till.sql`update refunds set updated_at = now() - interval '1 minute' where id = ${id}`;
    await till.reconcile();
    await expect.poll(async () => (await refundOf(id)).refund?.state, waitFor).toBe('refunded');
  });

  test('no payout is begun', async ({ till, scene }) => {
    const id = await scene.fulfilled();
    const { creatorId: recipientId } = await scene.row(id);
    await till.sql`update interactions set frozen_at = now() where id = ${id}`;
    const payout = { id, interactionId: id, recipientId, amountCentavos: 250_00 };
    await till.database.insert(payouts).values(payout);
    await payOut(till.context, id);
    await till.reconcile();
    const [row] = await till.database.select().from(payouts).where(eq(payouts.id, id));
    expect(row).toMatchObject({ state: 'owed' });
    expect(await till.provider.client.transfers.findByReference(id)).toEqual([]);
  });
});
