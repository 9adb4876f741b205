import { adminMoney } from '@tara/contract/money/admin-money';
import { PaymongoError } from '@tara/paymongo';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Problem } from '../../platform/problem.ts';
import { readDisbursement, refuseAttempt } from '../../testing/features/disbursements.ts';
import { insertMember } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { recordPayout } from './admin-money.ts';
import { confirmPlan } from './confirm.ts';
import { disburse } from './disburse.ts';
import { settleManualTransfer } from './manual-transfers.ts';

const price = 250_00;

/** Whatever locks a request of its money locks the request first, as a chargeback does, so that none waits for the other. */
const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  /** Runs `work` while another transaction holds the request, which then writes a row of its money. */
  .extend(
    'meet',
    { scope: 'file' },
    ({ fixture }) =>
      async (id: string, table: string, work: () => Promise<unknown>, column = 'updated_at') =>
        fixture.database.transaction(async (transaction) => {
          await transaction.execute(sql`select from interactions where id = ${id} for update`);
          const working = work();
          const waiting = async () =>
            (
              await fixture.database.execute(sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`)
            ).length;
          await expect.poll(waiting, waitFor).toBeGreaterThan(0);
          await transaction.execute(
            sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = default where interaction_id = ${id}`,
          );
          return { working };
        }),
  );

test('a refund that becomes a transfer waits for its request', async ({ fixture, admin, requests, meet }) => {
  const { id: refund, interactionId: id } = await requests.owed('refund');
  await refuseAttempt(fixture.database, refund, 'It cannot be refunded.');
  const body = { id: refund, byTransfer: true, reason: 'Support said so' };
  const { working } = await meet(id, 'disbursements', () =>
    fixture.server.call(admin, adminMoney.retryMoney, { body }),
  );
  expect(await working).toMatchObject({ status: 200 });
});

test('a payout that is refused waits for its request', async ({ fixture, admin, meet }) => {
  const requests = await openRequestFixture(fixture, { phoneNumber: 'none' });
  const id = await requests.fulfilled();
  await confirmPlan(fixture.platform, admin, id);
  // Its job is over, and does not send it beside this test.
  await expect.poll(() => requests.notified(id), waitFor).toContain('payoutNumber creator');
  await fixture.sql`update profiles set phone_number = '09171234567' where id = ${requests.creator.profileId}`;
  const sending = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const { client } = fixture.provider;
  const create: typeof client.transfers.create = async () => {
    sending.resolve();
    await answer.promise;
    throw new PaymongoError(400, [{ code: 'parameter_invalid', detail: 'The account is inactive.' }], {});
  };
  const provider = { ...client, transfers: { ...client.transfers, create } };
  const { id: payout = '' } = (await requests.outgoing(id, 'payout')) ?? {};
  const paying = disburse({ ...fixture.context, provider }, payout);
  await sending.promise;
  const { working } = await meet(id, 'disbursements', async () => {
    answer.resolve();
    await paying;
  });
  await working;
  expect(await readDisbursement(fixture.database, payout)).toMatchObject({
    ...{ attempts: 1, state: 'owed', problem: 'The account is inactive.' },
  });
});

test('a transfer by hand that is refused waits for its request', async ({
  fixture,
  admin,
  requests,
  meet,
}) => {
  const { id: payout, interactionId: id } = await requests.owed('payout');
  const sent = { id: payout, reference: 'BPI 1', amountCentavos: price };
  const { working } = await meet(id, 'disbursements', () =>
    recordPayout(fixture.context, admin, sent).catch(({ type }: Problem) => type),
  );
  expect(await working).toBe('money_case_not_possible');
  await fixture.sql`update disbursements set state = 'arrived', arrived_at = now() where id = ${payout}`;
  const left = { reference: 'BPI 1', hasLeft: true, reason: 'The bank says so.' };
  const settle = () => settleManualTransfer(fixture.context, admin, left);
  const settling = await meet(id, 'manual_transfers', settle, 'created_at');
  await settling.working;
  expect(await requests.transfers(id)).toContain('manual_loss');
});
