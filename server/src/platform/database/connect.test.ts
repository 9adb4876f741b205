import { nowDate } from '@tara/contract/clock';
import { eq, sql } from 'drizzle-orm';
import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { expect } from 'vitest';
import { test as base } from '../../testing/test.ts';
import { runAs } from '../work.ts';
import { afterCommit, canQuery, connect, connectByWork, isConnectionLoss } from './connect.ts';
import { isBusy, retryBusy, violatedConstraint, violates } from './constraint.ts';

const coins = pgTable('coins', {
  id: text('id').primaryKey(),
  amount: bigint('amount', { mode: 'number' }).notNull(),
  at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull(),
});
const test = base.extend('migrated', { scope: 'file' }, false);

test.beforeAll(async ({ connection }) => {
  await connection.sql`create table coins (id text primary key, at timestamptz not null,
    amount bigint not null constraint amount_is_positive check (amount > 0))`;
});

test('reads and writes whole numbers and times exactly', async ({ connection, database }) => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  await database.insert(coins).values({ id: 'a', amount: 9_007_199_254_740_991, at });
  const rows = await database.select().from(coins).where(eq(coins.id, 'a'));
  expect(rows).toEqual([{ id: 'a', amount: 9_007_199_254_740_991, at }]);
  const counted = await connection.sql`select count(*) as n from coins`;
  expect(counted[0]?.n).toBe(1);
});

test('refuses a number too large to be exact rather than round it', async ({ connection }) => {
  await expect(connection.sql`select 9007199254740993::int8 as n`).rejects.toThrow(RangeError);
});

test('names the constraint that a statement broke', async ({ database }) => {
  const insert = (id: string, amount: number) =>
    database
      .insert(coins)
      .values({ id, amount, at: nowDate() })
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  await insert('b', 1);
  expect(violates(await insert('b', 1), 'coins_pkey')).toBe(true);
  expect(violatedConstraint(await insert('c', -1))).toBe('amount_is_positive');
  expect(violatedConstraint(new Error('other'))).toBeUndefined();
});

test('joined rows are not remembered for statements that read a few', async ({
  connection,
  onTestFinished,
}) => {
  const node = connectByWork(connection.url, { core: 1, browsing: 1, background: 1 });
  onTestFinished(node.close);
  const works = ['core', 'browsing', 'background'] as const;
  const remembers = works.map((work) =>
    runAs(work, async () => await node.database.execute(sql`show enable_memoize`)),
  );
  expect(await Promise.all(remembers)).toEqual([
    [{ enable_memoize: 'off' }],
    [{ enable_memoize: 'off' }],
    [{ enable_memoize: 'on' }],
  ]);
});

test('does what follows a commit once it is there, and not after a rollback', async ({ database }) => {
  const done: string[] = [];
  const insert = (id: string, error?: Error) =>
    database.transaction(async (transaction) => {
      afterCommit(() => void done.push(id));
      await transaction.insert(coins).values({ id, amount: 1, at: nowDate() });
      if (error) throw error;
      expect(done).toEqual([]);
    });
  await insert('committed');
  expect(done).toEqual(['committed']);
  await expect(insert('rolled back', new Error('no'))).rejects.toThrow('no');
  expect(done).toEqual(['committed']);
  expect(() => afterCommit(() => {})).toThrow('no transaction');
});

test('cancels a statement that takes too long (threat-injected-queries)', async ({ connection }) => {
  const impatient = connect(connection.url, { statementTimeout: 50 });
  const error = await impatient.database.execute(sql`select pg_sleep(5)`).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ cause: { code: '57014' } });
  expect(isBusy(error)).toBe(true);
  await impatient.close();
});

test('distinguishes a lost connection from a wrong statement, and recovers by itself (threat-lost-data)', async ({
  connection,
  database,
}) => {
  const cut = connect(connection.url, { size: 1 });
  const pid = (await cut.sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0;
  const waiting = cut.database.execute(sql`select pg_sleep(5)`).then(
    () => undefined,
    (error: unknown) => error,
  );
  await expect
    .poll(
      async () =>
        (await connection.sql`select 1 from pg_stat_activity where pid = ${pid} and state = 'active'`).length,
    )
    .toBe(1);
  await connection.sql`select pg_terminate_backend(${pid})`;
  expect(isConnectionLoss(await waiting)).toBe(true);
  await expect.poll(() => canQuery(cut.sql)).toBe(true);
  await cut.close();

  const nowhere = connect('postgres://nobody:none@127.0.0.1:1/none');
  expect(await canQuery(nowhere.sql)).toBe(false);
  await nowhere.close();
  const wrong = await database.execute(sql`select * from nowhere`).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(isConnectionLoss(wrong)).toBe(false);
});

test('a transaction that a deadlock undid is done again', async ({ connection, database }) => {
  await connection.sql`insert into coins values ('left', now(), 1), ('right', now(), 1)`;
  const both = Promise.withResolvers<void>();
  let waiting = 2;
  const raise = (first: string, second: string) =>
    retryBusy(() =>
      database.transaction(async (transaction) => {
        await transaction.execute(sql`update coins set amount = amount + 1 where id = ${first}`);
        waiting -= 1;
        if (waiting === 0) both.resolve();
        await both.promise;
        await transaction.execute(sql`update coins set amount = amount + 1 where id = ${second}`);
      }),
    );
  await Promise.all([raise('left', 'right'), raise('right', 'left')]);
  const rows = await connection.sql`select amount::int from coins where id in ('left', 'right')`;
  expect(rows.map(({ amount }) => amount)).toEqual([3, 3]);
  expect(waiting).toBeLessThan(0);
});
