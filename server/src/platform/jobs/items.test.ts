import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { accounts } from '../../features/accounts/index.ts';
import { oddErrors } from '../../testing/faults/odd-errors.ts';
import { insertMember } from '../../testing/features/members.ts';
import { test as base } from '../../testing/test.ts';
import { connectByWork, type Database } from '../database/connect.ts';
import { openLog, quietLog } from '../log.ts';
import { runAs } from '../work.ts';
import { workItems } from './items.ts';
import { postponedItems } from './tables.ts';

const { signal } = new AbortController();

const test = base
  .extend('log', quietLog)
  /** The database as the jobs of a node have it. */
  .extend('node', async ({ connection }, { onCleanup }) => {
    const node = connectByWork(connection.url, { core: 1, browsing: 1, background: 2 });
    onCleanup(() => node.close());
    return node;
  });

/** Selects those of the ids that are due, in their order. */
const selectDue = (database: Database, ids: readonly string[]) => async (isDue: (id: SQLWrapper) => SQL) =>
  database.execute<{ id: string }>(sql`
      select id from json_array_elements_text(${JSON.stringify(ids)}::json) with ordinality as items (id, number)
      where ${isDue(sql`id`)} order by number`);

const postponed = async (database: Database, work: string) =>
  database
    .select({
      itemId: postponedItems.itemId,
      attempts: postponedItems.attempts,
      reason: postponedItems.lastError,
    })
    .from(postponedItems)
    .where(eq(postponedItems.work, work))
    .orderBy(postponedItems.itemId);

test.for(Object.entries(oddErrors))(
  'an item that throws %s does not keep the others from their work',
  async ([name, error], { database }) => {
    const lines: string[] = [];
    const log = openLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
    const done: string[] = [];
    const work = `odd/${name}`;
    const round = () =>
      workItems(
        { database, log, signal },
        {
          name: work,
          select: selectDue(database, ['bad 1', 'bad 2', 'good']),
          id: ({ id }) => id,
          work: async ({ id }) => {
            if (id.startsWith('bad')) throw error;
            done.push(id);
          },
        },
      );
    await round();
    expect(done).toEqual(['good']);
    expect(await postponed(database, work)).toMatchObject([
      { itemId: 'bad 1', attempts: 1 },
      { itemId: 'bad 2', attempts: 1 },
    ]);
    expect(lines).toHaveLength(2);
  },
);

test('an item that fails for ever is tried less and less often, at least every six hours, and logged once', async ({
  database,
}) => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const pauses: number[] = [];
  for (let round = 0; round < 40; round++) {
    await workItems(
      { database, log, signal },
      {
        name: 'for-ever',
        select: selectDue(database, ['bad', 'good']),
        id: ({ id }) => id,
        work: async ({ id }) => {
          if (id === 'bad') throw new Error('no');
        },
      },
    );
    const [row] = await database.execute<{ pause: number }>(
      sql`select extract(epoch from retry_at - now())::float8 as pause from ${postponedItems} where work = 'for-ever'`,
    );
    pauses.push(Math.round(Math.max(row?.pause ?? 0, 0) / 60));
    await database.update(postponedItems).set({ retryAt: sql`now() - interval '1 second'` });
  }
  expect(pauses.slice(0, 11)).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 360]);
  expect(new Set(pauses.slice(10))).toEqual(new Set([360]));
  expect(lines).toHaveLength(1);
  expect(await postponed(database, 'for-ever')).toMatchObject([{ itemId: 'bad', attempts: 40 }]);
});

/** Works accounts by an update of their row; returns those that were done. */
async function touchAccounts(database: Database, name: string, ids: string[]) {
  const tried: string[] = [];
  const done: string[] = [];
  const count = await runAs('background', () =>
    workItems(
      { database, log: quietLog(), signal },
      {
        name,
        select: selectDue(database, ids),
        id: ({ id }) => id,
        work: async ({ id }) => {
          tried.push(id);
          await database.update(accounts).set({ updatedAt: sql`now()` }).where(eq(accounts.id, id));
          done.push(id);
        },
      },
    ),
  );
  return { count, tried, done };
}

test('a record that another transaction holds does not keep the others from their work', async ({
  connection,
  database,
  node,
}) => {
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) ids.push((await insertMember(database)).accountId);
  const [held = '', ...others] = ids;
  await connection.sql.begin(async (holder) => {
    await holder`select 1 from accounts where id = ${held} for update`;
    expect(await touchAccounts(node.database, 'held', ids)).toEqual({ count: 3, tried: ids, done: others });
  });
  expect(await postponed(database, 'held')).toMatchObject([{ itemId: held, attempts: 1 }]);
  // Another work of the same record goes on failing.
  const other = { work: 'held elsewhere', itemId: held, attempts: 1, lastError: 'no' };
  await database.insert(postponedItems).values({ ...other, retryAt: sql`now()` });
  expect(await touchAccounts(node.database, 'held', ids)).toEqual({ count: 3, tried: ids, done: ids });
  expect(await postponed(database, 'held')).toEqual([]);
  expect(await postponed(database, 'held elsewhere')).toHaveLength(1);
});

test('a table that another transaction holds ends the round, and not after a wait for each record', async ({
  connection,
  database,
  node,
}) => {
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) ids.push((await insertMember(database)).accountId);
  await connection.sql.begin(async (holder) => {
    await holder`lock table accounts in share mode`;
    const tried = ids.slice(0, 3);
    expect(await touchAccounts(node.database, 'table', ids)).toEqual({ count: 0, tried, done: [] });
  });
});
