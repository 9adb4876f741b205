import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nowDate } from '@tara/contract/clock';
import { test as base } from 'vitest';
import { migrationsFolder } from '../../config.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { newId } from '../../platform/ids.ts';
import { migrateJobs } from '../../platform/jobs/migrate.ts';
import { createTestDatabase } from '../database.ts';
import { insertPlan } from './interactions.ts';

export type OldDatabase = Awaited<ReturnType<typeof openOldDatabase>>;

/** `test` with a database as the code stored it before a migration, its number `0271` or later, and what carries it over. */
export const oldDatabaseTest = (before: string) =>
  base.extend('old', ({ onTestFinished }) => openOldDatabase(before, onTestFinished));

async function openOldDatabase(before: string, onFinished: (end: () => Promise<void>) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  onFinished(() => rm(folder, { recursive: true }));
  const connection = await createTestDatabase({ empty: true });
  onFinished(() => connection.drop());
  const apply = async (isWanted: (name: string) => boolean) => {
    for (const name of await readdir(migrationsFolder))
      if (name.endsWith('.sql') && isWanted(name))
        await copyFile(join(migrationsFolder, name), join(folder, name));
    await migrate(connection.url, folder);
  };
  await migrateJobs(connection.url);
  await apply((name) => name.slice(0, 4) <= before);
  const { database, sql } = connection;
  /** Books a transfer of an account to another one. */
  const transfer = (key: string, id: string, entries: Record<string, number>) =>
    sql`
      with booked as (
        insert into ledger_transfers (key, kind, interaction_id) values (${key}, ${key.split(':')[0] ?? ''}, ${id}) returning id)
      insert into ledger_entries (transfer_id, account, amount)
        select id, account, amount::bigint from booked
          cross join json_each_text(${JSON.stringify(entries)}::text::json) as entry (account, amount)
        where amount <> '0'`;
  /** Inserts a row as the driver takes it: a time as text, a record as JSON. */
  const insert = (table: string, row: Record<string, unknown>) => {
    const stored = (value: unknown) =>
      value instanceof Date
        ? value.toISOString()
        : value && typeof value === 'object'
          ? JSON.stringify(value)
          : value;
    const values = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, stored(value)]));
    return sql`insert into ${sql(table)} ${sql(values as Record<string, string>)}`;
  };
  /** A verified member, by the columns that profiles had then. */
  const member = async () => {
    const [accountId, profileId] = [newId(), newId()];
    const email = `${accountId}@example.com`;
    await insert('accounts', { id: accountId, name: 'Ana', email, password_hash: 'none' });
    await insert('profiles', { id: profileId, account_id: accountId, name: 'Ana', verified: true });
    return { accountId, profileId };
  };
  const creator = await member();
  const planId = await insertPlan(database, creator);
  /** A request of ₱250.00 of a new client, unless its columns say otherwise. */
  const request = async (id: string, columns: Record<string, unknown> = {}) => {
    const client = await member();
    await insert('interactions', {
      ...{ id, plan_id: planId, plan_title: 'Coffee', creator_id: creator.profileId },
      ...{ client_id: client.profileId, price_centavos: 25000, ...columns },
    });
  };
  /** A payment of a request, by its id as it was booked. Centavos. */
  const capture = async (booked: string, id: string, { centavos = 25000, feeCentavos = 0 } = {}) => {
    await insert('captured_payments', {
      ...{ id: booked, interaction_id: id, amount_centavos: centavos, fee_centavos: feeCentavos },
      method: 'card',
    });
    await transfer(`capture:${booked}`, id, {
      ...{ cash: centavos - feeCentavos, fees: feeCentavos, [`escrow:${id}`]: -centavos },
    });
  };
  return {
    sql,
    database,
    creator,
    transfer,
    insert,
    request,
    capture,
    carryOver: () => apply(() => true),
    /** A paid request of ₱250.00, unless its columns say otherwise, with its payment as it was booked. */
    pay: async (
      id: string,
      {
        paymentId,
        booked,
        feeCentavos = 0,
      }: { paymentId: string | null; booked: string; feeCentavos?: number },
      columns: Record<string, unknown> & { price_centavos?: number } = {},
    ) => {
      await request(id, { paid_at: nowDate(), payment_id: paymentId, ...columns });
      await capture(booked, id, {
        feeCentavos,
        ...(columns.price_centavos && { centavos: columns.price_centavos }),
      });
    },
  };
}
