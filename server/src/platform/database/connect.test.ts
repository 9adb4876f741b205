import { eq, sql } from 'drizzle-orm';
import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canQuery, connect, isConnectionLoss } from './connect.ts';
import { violatedConstraint, violates } from './constraint.ts';
import { createTestDatabase, type TestDatabase } from './testing.ts';

const coins = pgTable('coins', {
  id: text('id').primaryKey(),
  amount: bigint('amount', { mode: 'number' }).notNull(),
  at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull(),
});

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ empty: true });
  await test.sql`create table coins (id text primary key, at timestamptz not null,
    amount bigint not null constraint amount_is_positive check (amount > 0))`;
});
afterAll(() => test.drop());

it('reads and writes whole numbers and times exactly', async () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  await test.database.insert(coins).values({ id: 'a', amount: 9_007_199_254_740_991, at });
  const rows = await test.database.select().from(coins).where(eq(coins.id, 'a'));
  expect(rows).toEqual([{ id: 'a', amount: 9_007_199_254_740_991, at }]);
  const counted = await test.sql`select count(*) as n from coins`;
  expect(counted[0]?.n).toBe(1);
});

it('refuses a number too large to be exact rather than round it', async () => {
  await expect(test.sql`select 9007199254740993::int8 as n`).rejects.toThrow(RangeError);
});

it('names the constraint that a statement broke', async () => {
  const insert = (id: string, amount: number) =>
    test.database
      .insert(coins)
      .values({ id, amount, at: new Date() })
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  await insert('b', 1);
  expect(violates(await insert('b', 1), 'coins_pkey')).toBe(true);
  expect(violatedConstraint(await insert('c', -1))).toBe('amount_is_positive');
  expect(violatedConstraint(new Error('other'))).toBeUndefined();
});

it('cancels a statement that takes too long', async () => {
  const impatient = connect(test.url, { statementTimeout: 50 });
  await expect(impatient.database.execute(sql`select pg_sleep(5)`)).rejects.toMatchObject({
    cause: { code: '57014' },
  });
  await impatient.close();
});

it('tells a lost connection from a wrong statement, and recovers by itself', async () => {
  const cut = connect(test.url, { size: 1 });
  const pid = (await cut.sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0;
  const waiting = cut.database.execute(sql`select pg_sleep(5)`).then(
    () => undefined,
    (error: unknown) => error,
  );
  await expect
    .poll(
      async () =>
        (await test.sql`select 1 from pg_stat_activity where pid = ${pid} and state = 'active'`).length,
    )
    .toBe(1);
  await test.sql`select pg_terminate_backend(${pid})`;
  expect(isConnectionLoss(await waiting)).toBe(true);
  await expect.poll(() => canQuery(cut.database)).toBe(true);
  await cut.close();

  const nowhere = connect('postgres://nobody:none@127.0.0.1:1/none');
  expect(await canQuery(nowhere.database)).toBe(false);
  await nowhere.close();
  const wrong = await test.database.execute(sql`select * from nowhere`).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(isConnectionLoss(wrong)).toBe(false);
});
