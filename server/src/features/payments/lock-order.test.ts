import { adminMoney } from '@tara/contract/admin-money';
import { PaymongoError } from '@tara/paymongo';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertMember } from '../../testing/members.ts';
import { newScene, waitFor } from '../../testing/scene.ts';
import { tillTest } from '../../testing/till.ts';
import { confirmPlan } from './confirm.ts';
import { payOut } from './payouts.ts';
import { payouts, refunds } from './tables.ts';

const price = 250_00;

/** Whatever locks a request of its money locks the request first, as a chargeback does, so that none waits for the other. */
const test = tillTest
  .extend('admin', { scope: 'file' }, ({ till }) => insertMember(till.database, { admin: true }))
  .extend('scene', ({ till }) => newScene(till))
  /** Runs `work` while another transaction holds the request, which then writes a row of its money. */
  .extend(
    'meet',
    { scope: 'file' },
    ({ till }) =>
      async (id: string, table: string, work: () => Promise<unknown>) =>
        till.database.transaction(async (transaction) => {
          await transaction.execute(sql`select from interactions where id = ${id} for update`);
          const working = work();
          const waiting = async () =>
            (
              await till.database.execute(sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`)
            ).length;
          await expect.poll(waiting, waitFor).toBeGreaterThan(0);
          await transaction.execute(
            sql`update ${sql.identifier(table)} set updated_at = now() where interaction_id = ${id}`,
          );
          return { working };
        }),
  );

test('a refund that becomes a transfer waits for its request', async ({ till, admin, scene, meet }) => {
  const id = await scene.paid();
  const { paymentId } = await scene.row(id);
  await till.sql`update interactions set cancelled_at = now(), cancel_reason = 'declined',
    refund_centavos = ${price} where id = ${id}`;
  const refund = { id, interactionId: id, paymentId: paymentId ?? '', amountCentavos: price };
  await till.database.insert(refunds).values({ ...refund, attempt: 2, lastError: 'It cannot be refunded.' });
  const body = { kind: 'refund' as const, id, byTransfer: true, reason: 'Support said so' };
  const { working } = await meet(id, 'refunds', () =>
    till.server.call(admin, adminMoney.retryMoney, { body }),
  );
  expect(await working).toMatchObject({ status: 200 });
});

test('a payout that is refused waits for its request', async ({ till, admin, meet }) => {
  const scene = await newScene(till, { phoneNumber: 'none' });
  const id = await scene.fulfilled();
  await confirmPlan(till.platform, admin, id);
  await till.sql`update profiles set phone_number = '09171234567' where id = ${scene.creator.profileId}`;
  const sending = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const { client } = till.provider;
  const create: typeof client.transfers.create = async () => {
    sending.resolve();
    await answer.promise;
    throw new PaymongoError(400, [{ code: 'parameter_invalid', detail: 'The account is inactive.' }], {});
  };
  const provider = { ...client, transfers: { ...client.transfers, create } };
  const paying = payOut({ ...till.context, provider }, id);
  await sending.promise;
  const { working } = await meet(id, 'payouts', async () => {
    answer.resolve();
    await paying;
  });
  await working;
  const [payout] = await till.database.select().from(payouts).where(eq(payouts.id, id));
  expect(payout).toMatchObject({ attempt: 2, lastError: 'The account is inactive.' });
});
