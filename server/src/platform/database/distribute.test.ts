import { nowMs } from '@tara/contract/clock';
import { describe, expect } from 'vitest';
import { chatDistributions } from '../../features/messages/index.ts';
import { clusterUrl, createClusterDatabase, withoutCluster } from '../../testing/cluster.ts';
import type { TestDatabase } from '../../testing/database.ts';
import { test } from '../../testing/test.ts';
import { connect, timeLimits } from './connect.ts';
import { DistributeRefused, distributeTables, readPlacements } from './distribute.ts';

const tables = chatDistributions.map(({ table }) => table);
const silent = { say: () => {} };
const distribute = ({ url }: TestDatabase, options = {}) =>
  distributeTables(url, chatDistributions, { ...silent, ...options });

/** Two chats with messages, marks and entries. */
const fill = ({ sql }: TestDatabase) =>
  sql.unsafe(`
    insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id, last_sequence)
      select 'chat' || n, 'conversation', 'one', 'other' || n, 'account', 'account' || n, 1 from generate_series(1, 100) as n;
    insert into messages (chat_id, sequence, id, name, body, client_key, first_count, second_count)
      select id, 1, 'message of ' || id, 'Tara', 'Hi', 'key', 0, 0 from chats;
    insert into chat_marks (chat_id, member_id) select id, unnest(array[first_id, second_id]) from chats;
    insert into unsent_messages (chat_id, sequence, body) select id, 1, 'Hi' from chats;
    insert into chat_entries (member_id, chat_id, kind, other_id, last_sequence, incoming, preview, updated_at)
      select second_id, id, kind, first_id, 1, 1, 'Hi', now() from chats;`);

const readAll = async ({ sql }: TestDatabase) =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const rows = await sql.unsafe(`select to_jsonb(t)::text as row from ${table} as t`);
        return [table, rows.map(({ row }) => row).sort()];
      }),
    ),
  );

test('one Postgres is not distributed, and has all tables', async ({ connection: plain }) => {
  await expect(distribute(plain)).rejects.toThrow(DistributeRefused);
  await expect(distribute(plain)).rejects.toThrow('there is nothing to distribute to');
  const { workers, placements } = await readPlacements(plain.url, tables);
  expect(workers).toBeNull();
  expect(placements.map(({ table, workers }) => [table, workers])).toEqual(
    tables.map((table) => [table, []]),
  );
  expect(placements.every(({ bytes }) => bytes > 0)).toBe(true);
});

describe.skipIf(!clusterUrl)(`in a Citus cluster${withoutCluster}`, () => {
  test('a cluster without workers is refused', async ({ onTestFinished }) => {
    const lone = await createClusterDatabase({ workers: 0 });
    onTestFinished(() => lone.drop());
    await expect(distribute(lone)).rejects.toThrow('The cluster has no worker yet');
  });

  test('tables move with their rows, once, and leave nothing behind', async ({ onTestFinished }) => {
    const cluster = await createClusterDatabase();
    onTestFinished(() => cluster.drop());
    await fill(cluster);
    const before = await readAll(cluster);
    const steps: string[] = [];
    expect(await distribute(cluster, { say: (text: string) => steps.push(text) })).toBe(tables.length);
    expect(steps).toEqual(tables.map((table) => `Copying ${table} onto the workers.`));
    expect(await readAll(cluster)).toEqual(before);

    const { workers, placements } = await readPlacements(cluster.url, tables);
    expect(placements.map((placement) => placement.workers.map(({ worker }) => worker))).toEqual(
      tables.map(() => workers),
    );
    const left = await cluster.sql.unsafe(
      `select sum(pg_relation_size(oid)) as bytes from pg_class where relname = any('{${tables.join()}}')`,
    );
    expect(left).toEqual([{ bytes: '0' }]);
    expect(await distribute(cluster)).toBe(0);
  });

  test('tables that somebody holds stay where they are, and can be written again at once', async ({
    onTestFinished,
  }) => {
    const cluster = await createClusterDatabase();
    onTestFinished(() => cluster.drop());
    await fill(cluster);
    await cluster.sql.begin(async (holding) => {
      await holding`update chats set blocked = true where id = 'chat1'`;
      await expect(distribute(cluster, { lockAttempts: 1 })).rejects.toThrow('that does not end');
    });
    await cluster.sql`update chats set blocked = false where id = 'chat1'`;
    const { placements } = await readPlacements(cluster.url, tables);
    expect(placements.flatMap(({ workers }) => workers)).toEqual([]);
    expect(await distribute(cluster)).toBe(tables.length);
  });

  test('of two commands at once the second finds the tables moved', async ({ onTestFinished }) => {
    const cluster = await createClusterDatabase();
    onTestFinished(() => cluster.drop());
    await fill(cluster);
    const moved = await Promise.all([distribute(cluster), distribute(cluster)]);
    expect(moved.sort()).toEqual([0, tables.length]);
  });

  test('nobody who reads is refused while what is left behind waits to be removed', async ({
    onTestFinished,
  }) => {
    const cluster = await createClusterDatabase();
    onTestFinished(() => cluster.drop());
    await fill(cluster);
    const reader = connect(cluster.url, { size: 1, ...timeLimits.core });
    onTestFinished(() => reader.close());
    let moving: Promise<number> | undefined;
    await cluster.sql.begin(async (holding) => {
      await holding`select from chats`;
      moving = distribute(cluster);
      await expect
        .poll(async () => (await readPlacements(cluster.url, tables)).placements[0]?.workers.length)
        .toBeGreaterThan(0);
      const end = nowMs() + 4_000;
      while (nowMs() < end) expect(await reader.sql`select id from chats`).toHaveLength(100);
    });
    expect(await moving).toBe(tables.length);
  });

  test('a table that cannot be moved leaves all where they are', async ({ onTestFinished }) => {
    const cluster = await createClusterDatabase();
    onTestFinished(() => cluster.drop());
    await fill(cluster);
    const wrong = [...chatDistributions, { table: 'accounts', column: 'unknown' }];
    await expect(distributeTables(cluster.url, wrong, silent)).rejects.toThrow('unknown');
    const { placements } = await readPlacements(cluster.url, tables);
    expect(placements.flatMap(({ workers }) => workers)).toEqual([]);
  });
});
