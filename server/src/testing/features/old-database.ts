import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from 'vitest';
import { migrationsFolder } from '../../config.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { migrateJobs } from '../../platform/jobs/migrate.ts';
import { createTestDatabase } from '../database.ts';
import { insertPlan } from './interactions.ts';
import { insertMember } from './members.ts';

/** `test` with a database as the code stored it before a migration, its number `0271` or later, and what carries it over. */
export const oldDatabaseTest = (before: string) =>
  base.extend('old', async ({ onTestFinished }) => {
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
    /** Books a transfer of an account to another one. */
    const transfer = (key: string, id: string, entries: Record<string, number>) =>
      sql.begin(async (transaction) => {
        const [row] = await transaction`insert into ledger_transfers (key, kind, interaction_id)
        values (${key}, ${key.split(':')[0] ?? ''}, ${id}) returning id`;
        for (const [account, amount] of Object.entries(entries).filter(([, amount]) => amount !== 0))
          await transaction`insert into ledger_entries (transfer_id, account, amount)
          values (${row?.id}, ${account}, ${amount})`;
      });
    return {
      sql,
      database,
      creator,
      transfer,
      carryOver: () => apply(() => true),
      /** A paid request of ₱250.00, with its payment as it was booked. */
      pay: async (
        id: string,
        {
          paymentId,
          booked,
          feeBasisPoints = 0,
        }: { paymentId: string | null; booked: string; feeBasisPoints?: number },
      ) => {
        const client = await insertMember(database, { verified: true });
        const planId = await insertPlan(database, creator);
        await sql`insert into interactions (id, plan_id, plan_title, creator_id, client_id, price_centavos, paid_at, payment_id,
          platform_fee_basis_points)
        values (${id}, ${planId}, 'Coffee', ${creator.profileId}, ${client.profileId}, 25000, now(), ${paymentId}, ${feeBasisPoints})`;
        await sql`insert into captured_payments (id, interaction_id, amount_centavos) values (${booked}, ${id}, 25000)`;
        await transfer(`capture:${booked}`, id, { cash: 25000, [`escrow:${id}`]: -25000 });
      },
    };
  });
