import { adminMoney } from '@tara/contract/money/admin-money';
import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture } from '../../testing/features/request-fixture.ts';
import { notifications } from '../notifications/index.ts';
import { openMoney, recordPayout } from './admin-money.ts';
import { disburse } from './disburse.ts';
import { type Account, byHand, losses, readBalance } from './ledger.ts';
import { manualTransfers, moneyAlarms } from './tables.ts';

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  /** A payout of less than the price of its request, and a transfer by hand of the price that could not be recorded for it. */
  .extend('sentTooMuch', async ({ fixture, requests, admin }) => {
    const { id, interactionId } = await requests.owed('payout', 200_00);
    const reference = `BPI ${id}`;
    const record = (amount: number, who = admin) =>
      recordPayout(fixture.context, who, { id, reference, amountCentavos: amount });
    const settle = (hasLeft: boolean) =>
      fixture.server.call(admin, adminMoney.settleManualTransfer, {
        body: { reference, hasLeft, reason: 'The bank says so' },
      });
    await expect(record(250_00)).rejects.toMatchObject({ type: 'money_case_changed' });
    return { id, interactionId, reference, record, settle };
  });

test('a payout for which money may have left by hand is not sent by itself, and waits in the list by hand', async ({
  fixture,
  requests,
  sentTooMuch: { id, settle },
}) => {
  const { findByReference } = fixture.provider.client.transfers;
  const other = await requests.owed('payout');
  for (const payout of [id, other.id]) await disburse(fixture.context, payout);
  expect(await findByReference(id)).toEqual([]);
  expect(await findByReference(other.id)).toHaveLength(1);
  const isListed = async () =>
    (await openMoney(fixture.context, 'toPayOut', undefined)).items.some((item) => item.id === id);
  expect(await isListed()).toBe(true);
  // Nothing left: it goes the usual way again.
  expect((await settle(false)).status).toBe(200);
  expect(await isListed()).toBe(false);
  await disburse(fixture.context, id);
  expect(await findByReference(id)).toHaveLength(1);
});

test('a payout that is recorded by another reference than one that was refused costs nothing more', async ({
  fixture,
  admin,
  sentTooMuch: { id, reference },
}) => {
  const before = await readBalance(fixture.database, losses);
  await recordPayout(fixture.context, admin, {
    id,
    reference: `${reference} again`,
    amountCentavos: 200_00,
  });
  expect(await readBalance(fixture.database, losses)).toBe(before);
});

test('a transfer by hand of more than was owed is recorded, and the rest is a loss', async ({
  fixture,
  requests,
  sentTooMuch: { interactionId: id, record, settle },
}) => {
  const read = async (account: Account) => readBalance(fixture.database, account);
  const before = { byHand: await read(byHand), losses: await read(losses) };
  // It is no loss as a whole while it is owed.
  expect((await settle(true)).problem).toMatchObject({
    type: 'money_case_not_possible',
    message: expect.stringContaining('It is still owed'),
  });
  await record(200_00);
  expect((await requests.row(id)).paidOutAt).not.toBeNull();
  expect((await read(byHand)) - before.byHand).toBe(-250_00);
  expect((await read(losses)) - before.losses).toBe(50_00);
});

test('a transfer by hand that cannot be recorded is stored once, and neither above the price nor by a party', async ({
  fixture,
  requests,
  admin,
  sentTooMuch: { id, reference, record },
}) => {
  const stored = () => fixture.database.select().from(manualTransfers);
  const mine = async () => (await stored()).filter(({ disbursementId }) => disbursementId === id);
  await expect(record(250_00)).rejects.toThrow();
  expect(await mine()).toMatchObject([{ reference, amountCentavos: 250_00, state: 'refused' }]);
  const other = await requests.owed('payout');
  // The price of another request says nothing.
  await requests.requested(500_00);
  const body = { id: other.id, amountCentavos: 250_00, reference: 'BPI above' };
  const above = { ...body, amountCentavos: 250_01 };
  await expect(recordPayout(fixture.context, admin, above)).rejects.toThrow();
  expect((await stored()).map((row) => row.reference)).not.toContain('BPI above');
  // The reference is that of another payout.
  await expect(recordPayout(fixture.context, admin, { ...body, reference })).rejects.toMatchObject({
    fields: { reference: 'This reference belongs to another payout or refund.' },
  });
  const party = { ...admin, profileId: (await requests.row(other.interactionId)).creatorId };
  await expect(recordPayout(fixture.context, party, body)).rejects.toMatchObject({
    type: 'admin_own_record',
  });
});

test('a transfer by hand that cannot be recorded is told to all admins once, until one says what became of it', async ({
  fixture,
  admin,
  sentTooMuch: { reference, record, settle },
}) => {
  const alarms = () =>
    fixture.database
      .select({ recordId: moneyAlarms.recordId, centavos: moneyAlarms.amountCentavos })
      .from(moneyAlarms)
      .where(and(eq(moneyAlarms.kind, 'transferRefused'), eq(moneyAlarms.recordId, reference)));
  const notices = () =>
    fixture.database
      .select({ details: notifications.details })
      .from(notifications)
      .where(
        and(
          ...[eq(notifications.event, 'transferRefused'), eq(notifications.profileId, admin.profileId)],
          eq(notifications.recordId, reference),
        ),
      );
  await expect(record(250_00)).rejects.toThrow();
  expect(await alarms()).toEqual([{ recordId: reference, centavos: 250_00 }]);
  expect(await notices()).toEqual([{ details: { count: '1', amount: '25000' } }]);
  await settle(false);
  expect(await alarms()).toEqual([]);
  await expect(record(250_00)).rejects.toThrow();
  expect(await alarms()).toHaveLength(1);
  await record(200_00);
  expect(await alarms()).toEqual([]);
});
