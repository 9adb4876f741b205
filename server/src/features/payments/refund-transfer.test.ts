import { interactions as calls } from '@tara/contract/interactions/interactions';
import { type Paymongo, PaymongoError } from '@tara/paymongo';
import { and, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { freeze, readDisbursement, unfreeze } from '../../testing/features/disbursements.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { readInteraction } from '../interactions/index.ts';
import { notifications } from '../notifications/index.ts';
import { disburse } from './disburse.ts';
import { fees, heldFor, readBalance, refunded } from './ledger.ts';

const test = paymentTest
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  /** A refund that has no job. `days` ago it was paid; another amount is a part. */
  .extend('owed', ({ fixture, requests }) => async ({ days = 0, amountCentavos = 250_00 } = {}) => {
    const refund = await requests.owed('refund', amountCentavos);
    const { paymentId } = await requests.row(refund.interactionId);
    if (days > 0) await fixture.provider.control(`/payments/${paymentId}/age`, { days });
    return refund;
  })
  .extend(
    'readRefund',
    ({ fixture }) =>
      (id: string) =>
        readDisbursement(fixture.database, id),
  )
  .extend(
    'nameNumber',
    ({ fixture, requests }) =>
      (interactionId: string, number: string) =>
        fixture.server.call(requests.client, calls.setRefundNumber, { body: { interactionId, number } }),
  )
  .extend(
    'money',
    ({ fixture, requests }) =>
      async (id: string, who = requests.client) =>
        (await readInteraction(fixture.database, who, id)).money,
  );

test.afterEach(({ fixture }) => fixture.provider.clearFaults());

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
    fixture,
    requests,
    owed,
    readRefund,
    nameNumber,
    money,
  }) => {
    const { id: refund, interactionId: id } = await owed({ days: 61 });
    const feesBefore = await readBalance(fixture.database, fees);
    await disburse(fixture.context, refund);
    expect(await readRefund(refund)).toMatchObject({
      ...{ way: 'transfer', purpose: 'refund', recipientId: requests.client.profileId },
      ...{ owedCentavos: 250_00, number: null, attempts: 0 },
    });
    // Run twice it changes nothing.
    await disburse(fixture.context, refund);
    expect((await money(id)).refund).toMatchObject({ state: 'needs_number', way: 'transfer', amount: 250 });
    expect((await money(id, requests.creator)).refund).toMatchObject({ state: 'needs_number' });
    const rows = await fixture.database
      .select()
      .from(notifications)
      .where(eq(notifications.interactionId, id));
    expect(rows.filter(({ event }) => event === 'refundNumber')).toMatchObject([
      { profileId: requests.client.profileId },
    ]);
    const before = await readInteraction(fixture.database, requests.client, id);
    expect(before).toMatchObject({ needsRefundNumber: true });
    expect((await nameNumber(id, '0917 765 4321')).status).toBe(200);
    await expect.poll(async () => (await readRefund(refund)).state, waitFor).toBe('arrived');
    expect((await requests.row(id)).refundedAt).not.toBeNull();
    expect((await requests.row(id)).paidOutAt).toBeNull();
    expect((await money(id)).refund).toMatchObject({ state: 'arrived', problem: null });
    expect(await heldFor(fixture.database, id)).toBe(0);
    expect(await readBalance(fixture.database, refunded(id))).toBe(-250_00);
    // Tara pays the fee of the transfer, not the client.
    expect((await readBalance(fixture.database, fees)) - feesBefore).toBe(10_00);
    expect(await requests.transfers(id)).toEqual(['capture', 'refund']);
    const [sent] = await fixture.provider.client.transfers.findByReference(refund);
    expect(sent).toMatchObject({ amount: 250_00, destination_account: { number: '09177654321' } });
  });

  test('goes at once to the number that was named before paying', async ({
    fixture,
    requests,
    owed,
    readRefund,
  }) => {
    const { id: refund, interactionId: id } = await owed({ days: 61 });
    await fixture.sql`update interactions set refund_number = '09181112222' where id = ${id}`;
    // A number that its client changed elsewhere holds up payouts alone.
    await fixture.sql`update profiles set payout_number_from = now() + interval '1 day' where id = ${requests.client.profileId}`;
    await disburse(fixture.context, refund);
    await expect.poll(async () => (await readRefund(refund)).state, waitFor).toBe('arrived');
    expect((await requests.row(id)).refundedAt).not.toBeNull();
  });

  test.for([
    ['a part of a Maya payment', 'paymaya', 100_00],
    ['a part of a GrabPay payment', 'grab_pay', 100_00],
    ['a QR Ph payment', 'qrph', 250_00],
  ] as const)('is a transfer: %s', async ([_name, type, amountCentavos], { fixture, owed, readRefund }) => {
    const { id: refund } = await owed({ amountCentavos });
    await disburse({ ...fixture.context, provider: payingBy(fixture.provider.client, type) }, refund);
    expect(await readRefund(refund)).toMatchObject({ way: 'transfer', owedCentavos: amountCentavos });
  });

  test('is none when the whole of a Maya payment goes back', async ({ fixture, owed, readRefund }) => {
    const { id: refund } = await owed();
    await disburse({ ...fixture.context, provider: payingBy(fixture.provider.client, 'paymaya') }, refund);
    expect(await readRefund(refund)).toMatchObject({ way: 'provider' });
    await expect.poll(async () => (await readRefund(refund)).state, waitFor).toBe('arrived');
  });

  test.for(['allowed_date_exceeded', 'parameter_below_minimum', 'payment_not_refundable'])(
    'is a transfer once the provider refused it for good: %s',
    async (code, { fixture, owed, readRefund }) => {
      const { id: refund } = await owed();
      const { client } = fixture.provider;
      const create = async () => {
        throw new PaymongoError(400, [{ code, detail: code }], {});
      };
      await disburse(
        { ...fixture.context, provider: { ...client, refunds: { ...client.refunds, create } } },
        refund,
      );
      expect(await readRefund(refund)).toMatchObject({ way: 'transfer', problem: null });
    },
  );

  test('asks for another number when the named one was refused, and says why to its client alone', async ({
    fixture,
    requests,
    owed,
    readRefund,
    nameNumber,
    money,
  }) => {
    const { id: refund, interactionId: id } = await owed({ days: 61 });
    await disburse(fixture.context, refund);
    // The sandbox's account that is not active.
    await nameNumber(id, '999999990004');
    await expect.poll(async () => (await money(id)).refund?.state, waitFor).toBe('needs_number');
    await expect.poll(async () => (await money(id)).refund?.problem, waitFor).toContain('inactive');
    expect((await money(id, requests.creator)).refund?.problem).toBeNull();
    const isAsked = and(eq(notifications.interactionId, id), eq(notifications.event, 'refundNumber'));
    await expect.poll(() => fixture.database.$count(notifications, isAsked), waitFor).toBe(2);
    expect((await money(id)).refund?.problem).toContain('inactive');
    expect((await nameNumber(id, '0917 765 4321')).status).toBe(200);
    await expect.poll(async () => (await readRefund(refund)).state, waitFor).toBe('arrived');
    expect(await fixture.provider.client.transfers.findByReference(refund)).toHaveLength(2);
    expect(await heldFor(fixture.database, id)).toBe(0);
  });
});

test('a number is named for a refund by a transfer alone, and for that once', async ({
  fixture,
  owed,
  readRefund,
  nameNumber,
}) => {
  const { id: refund, interactionId: id } = await owed();
  const other = await owed();
  const refused = { type: 'interaction_not_allowed', text: 'No refund of this request waits for a number.' };
  expect((await nameNumber(id, '0917 765 4321')).problem).toMatchObject(refused);
  expect((await readRefund(refund)).number).toBeNull();
  // Their payments cannot be read, so that nothing is sent.
  await fixture.provider.fault({ kind: 'answer_500', path: '/v1/payments/' });
  for (const { id } of [{ id: refund }, other])
    await fixture.sql`update disbursements set way = 'transfer' where id = ${id}`;
  expect((await nameNumber(id, '0917 765 4321')).status).toBe(200);
  expect((await readRefund(refund)).number).toBe('09177654321');
  expect((await readRefund(other.id)).number).toBeNull();
  expect((await nameNumber(id, '0918 111 2222')).problem).toMatchObject(refused);
  expect((await readRefund(refund)).number).toBe('09177654321');
});

describe('while the card issuer disputes the payment', () => {
  test('no refund is sent, and it is sent once that is decided', async ({
    fixture,
    owed,
    readRefund,
    money,
  }) => {
    const { id: refund, interactionId: id } = await owed();
    await freeze(fixture.database, id);
    await disburse(fixture.context, refund);
    await fixture.reconcile();
    expect(await readRefund(refund)).toMatchObject({ attempts: 0 });
    expect((await money(id)).refund).toMatchObject({ state: 'frozen' });
    await unfreeze(fixture.database, id);
    await fixture.sql`update disbursements set updated_at = now() - interval '1 minute' where id = ${refund}`;
    await fixture.reconcile();
    await expect.poll(async () => (await readRefund(refund)).state, waitFor).toBe('arrived');
  });

  test('no payout is begun', async ({ fixture, requests }) => {
    const { id, interactionId } = await requests.owed('payout');
    await freeze(fixture.database, interactionId);
    await disburse(fixture.context, id);
    await fixture.reconcile();
    expect(await readDisbursement(fixture.database, id)).toMatchObject({ state: 'owed', attempts: 0 });
    expect(await fixture.provider.client.transfers.findByReference(id)).toEqual([]);
  });
});
