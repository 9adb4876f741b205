import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { openDatabaseLine } from '../../testing/faults/database-line.ts';
import { test } from '../../testing/test.ts';
import { connectByWork, isConnectionLoss } from './connect.ts';
import { beginGuarded } from './transaction.ts';

// An error that nothing caught, such as of the driver's own timers, fails the file.
const ways = ['its backend is ended', 'its line is cut'] as const;
const moments = [
  'between two statements',
  'during a statement',
  'within a savepoint',
  'before it ends',
] as const;

test.for(ways.flatMap((way) => moments.map((moment) => ({ way, moment }))))(
  'a transaction of which $way $moment fails alone, and the next one is done',
  async ({ way, moment }, { connection, onTestFinished }) => {
    const line = await openDatabaseLine(connection.url);
    const node = connectByWork(line.url, { core: 1, browsing: 1, background: 1 });
    onTestFinished(async () => {
      await node.close();
      line.cut();
    });
    const lose = async () => {
      if (way === 'its line is cut') line.cut();
      else
        await connection.sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name like 'tara %'`;
    };
    /** What the work saw of its own statements. */
    const seen: unknown[] = [];
    let hasEnded = false;
    const { database } = node;
    const work = database.transaction(async (transaction) => {
      try {
        await transaction.execute(sql`select 1`);
        if (moment === 'during a statement') {
          const statement = transaction.execute(sql`select pg_sleep(20)`);
          statement.then(null, (error) => seen.push(error));
          await delay(100);
          await lose();
          await statement;
        } else if (moment === 'within a savepoint') {
          await transaction.transaction(async (savepoint) => {
            await savepoint.execute(sql`select 1`);
            await lose();
            await delay(100);
            await savepoint.execute(sql`select 2`).catch((error) => {
              seen.push(error);
              throw error;
            });
          });
        } else {
          await lose();
          await delay(100);
          if (moment === 'between two statements')
            await transaction.execute(sql`select 2`).catch((error) => {
              seen.push(error);
              throw error;
            });
        }
      } finally {
        hasEnded = true;
      }
    });
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isConnectionLoss(error)).toBe(true);
    await expect.poll(() => hasEnded).toBe(true);
    await expect.poll(() => seen.length).toBe(moment === 'before it ends' ? 0 : 1);
    expect(seen.every(isConnectionLoss)).toBe(true);
    if (way === 'its line is cut') await line.join();
    await expect
      .poll(
        () =>
          database
            .transaction((transaction) => transaction.execute(sql`select 1 as one`))
            .then(
              (rows) => [...rows],
              () => [],
            ),
        { timeout: 15_000 },
      )
      .toEqual([{ one: 1 }]);
  },
);

test('a statement that is awaited twice is not sent twice', async ({ connection }) => {
  const pool = { pool: connection.sql, losses: { count: 0 }, preparing: () => ({}) };
  const rows = await beginGuarded(pool, async (transaction) => {
    await transaction.unsafe('create temporary table sent (id int) on commit drop');
    const statement = transaction.unsafe('insert into sent values (1) returning id');
    expect(await Promise.all([statement, statement])).toMatchObject([[{ id: 1 }], [{ id: 1 }]]);
    await statement;
    return transaction.unsafe('select id from sent');
  });
  expect(rows).toMatchObject([{ id: 1 }]);
});
