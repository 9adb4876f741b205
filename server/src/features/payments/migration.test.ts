import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { migrationsFolder } from '../../config.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { migrateJobs } from '../../platform/jobs/migrate.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';

/** The last one before money was carried over. */
const before = '0271';

/** A database as the code before stored it, and what carries it over. */
const test = base.extend('old', async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const connection = await createTestDatabase({ empty: true });
  onTestFinished(() => connection.drop());
  const apply = async (isWanted: (name: string) => boolean) => {
    for (const name of await readdir(migrationsFolder))
      if (name.endsWith('.sql') && isWanted(name))
        await copyFile(join(migrationsFolder, name), join(folder, name));
    await migrate(connection.url, folder);
  };
  await migrateJobs(connection.url);
  await apply((name) => name.slice(0, 4) <= before);
  const { database, sql } = connection;
  const creator = await insertMember(database, { verified: true });
  return {
    sql,
    creator,
    carryOver: () => apply(() => true),
    /** A paid request of ₱250.00, with its payment as it was booked. */
    pay: async (id: string, { paymentId, booked }: { paymentId: string | null; booked: string }) => {
      const client = await insertMember(database, { verified: true });
      const planId = await insertPlan(database, creator);
      await sql`insert into interactions (id, plan_id, plan_title, creator_id, client_id, price_centavos, paid_at, payment_id)
        values (${id}, ${planId}, 'Coffee', ${creator.profileId}, ${client.profileId}, 25000, now(), ${paymentId})`;
      await sql`insert into captured_payments (id, interaction_id, amount_centavos) values (${booked}, ${id}, 25000)`;
      await sql.begin(async (transaction) => {
        const [row] = await transaction`insert into ledger_transfers (key, kind, interaction_id)
          values (${`capture:${booked}`}, 'capture', ${id}) returning id`;
        await transaction`insert into ledger_entries (transfer_id, account, amount)
          values (${row?.id}, 'cash', 25000), (${row?.id}, ${`escrow:${id}`}, -25000)`;
      });
    },
  };
});

test('payments that were booked without an id get it where it is known, with their refunds and chargebacks', async ({
  old: { sql, pay, carryOver },
}) => {
  await pay('named', { paymentId: 'pay_1', booked: 'link-named' });
  await pay('usual', { paymentId: 'pay_2', booked: 'pay_2' });
  await pay('unnamed', { paymentId: null, booked: 'link-unnamed' });
  await sql`insert into refunds (id, interaction_id, payment_id, amount_centavos)
    select 'named', 'named', 'link-named', 25000`;
  await sql`insert into chargebacks (id, payment_id, interaction_id, amount_centavos, evidence)
    values ('dsp_1', 'link-named', 'named', 25000, '{}')`;
  const entries = () => sql`select * from ledger_entries order by transfer_id, account`;
  const [booked] = [await entries()];
  await carryOver();
  const ids = await sql`select id from captured_payments order by interaction_id`;
  expect(ids.map(({ id }) => id)).toEqual(['pay_1', 'link-unnamed', 'pay_2']);
  expect((await sql`select payment_id from refunds`)[0]?.payment_id).toBe('pay_1');
  expect((await sql`select payment_id from chargebacks`)[0]?.payment_id).toBe('pay_1');
  expect(await entries()).toEqual(booked);
});

test('deliveries that could not be read are carried over, and wait for nobody', async ({
  old: { sql, carryOver },
}) => {
  await sql`insert into provider_events (id, type, payload) values ('evt_1', 'payment.paid', '{}')`;
  await sql`insert into unread_deliveries (id, body, problem) values ('a1', 'no JSON', 'It is not JSON.')`;
  await carryOver();
  const rows = await sql`select id, convert_from(body, 'utf8') as body, problem, processed_at is null as waits
    from provider_events order by id`;
  expect(rows).toEqual([
    { id: 'a1', body: 'no JSON', problem: 'It is not JSON.', waits: false },
    { id: 'evt_1', body: null, problem: null, waits: true },
  ]);
});
