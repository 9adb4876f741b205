import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { openDatabaseLine } from '../../testing/faults/database-line.ts';
import { test } from '../../testing/test.ts';
import { runAs } from '../work.ts';
import { openDriver } from './address.ts';
import { connectByWork, type Database } from './connect.ts';

/** ms that a statement is with the database before its connection is lost. */
const sentMs = 50;

test('a statement that is sent as soon as a connection was reset is refused, and those after it are answered', async ({
  connection,
  onTestFinished,
}) => {
  const line = await openDatabaseLine(connection.url);
  const driver = openDriver(line.url, { max: 1, fetch_types: false, backoff: () => 0.05 });
  onTestFinished(async () => {
    await driver.end({ timeout: 0 });
    line.cut();
  });
  for (const round of [1, 2]) {
    const again = driver.unsafe('select pg_sleep(20)').then(
      () => 'slept',
      () => driver.unsafe('select 0').catch(({ code }) => code),
    );
    await delay(sentMs);
    line.reset();
    expect(await again).toBe('ECONNREFUSED');
    await line.join();
    for (const number of [1, 2, 3])
      expect(await driver.unsafe(`select ${number * round} as number`)).toEqual([{ number: number * round }]);
  }
});

// The driver makes the one behind TLS itself.
test.for(['of our own', 'that ends after its error'])(
  'after a reset of connections, with a socket %s, statements and transactions get their own answers',
  async (kind, { connection, onTestFinished }) => {
    const line = await openDatabaseLine(connection.url);
    const openSocket = () => new Socket().connect(line.port, '127.0.0.1');
    const node = connectByWork(
      line.url,
      { core: 1, browsing: 1, background: 1 },
      undefined,
      kind === 'of our own' ? {} : { openSocket },
    );
    onTestFinished(async () => {
      await node.close();
      line.cut();
    });
    await node.learnTypes();
    const read = async (from: Pick<Database, 'execute'>, number: number) => [
      ...(await from.execute(sql`select ${number}::int as number`)),
    ];
    const sleep = (from: Pick<Database, 'execute'>) => from.execute(sql`select pg_sleep(20)`);
    const losing = {
      statement: () =>
        sleep(node.database).then(
          () => 'slept',
          () => read(node.database, 0),
        ),
      transaction: () => node.database.transaction(sleep),
    };
    for (const lose of Object.values(losing)) {
      const lost = expect(lose()).rejects.toThrow();
      await delay(sentMs);
      line.reset();
      await lost;
      await line.join();
      await expect.poll(() => read(node.database, 1).catch(() => null)).toEqual([{ number: 1 }]);
      expect(await read(node.database, 2)).toEqual([{ number: 2 }]);
      expect(await node.database.transaction((transaction) => read(transaction, 3))).toEqual([{ number: 3 }]);
    }
  },
);

test('a database that admits no more connections goes on with those that it has', async ({
  connection,
  onTestFinished,
}) => {
  const { sql: owner, url } = connection;
  await owner`create role few login password 'few' connection limit 1`;
  const address = new URL(url);
  Object.assign(address, { username: 'few', password: 'few' });
  const node = connectByWork(address.href, { core: 1, browsing: 1, background: 1 });
  onTestFinished(async () => {
    await node.close();
    await owner`drop role few`;
  });
  const read = async () => await node.database.execute(sql`select 1 as number`);
  await runAs('core', read);
  await expect(runAs('browsing', read)).rejects.toThrow();
  for (let number = 0; number < 3; number++) expect(await runAs('core', read)).toEqual([{ number: 1 }]);
});

test('every class of work reads and writes arrays, whose types only the first connection asks for', async ({
  connection,
  onTestFinished,
}) => {
  const line = await openDatabaseLine(connection.url);
  const node = connectByWork(line.url, { core: 1, browsing: 1, background: 1 });
  onTestFinished(async () => {
    await node.close();
    line.cut();
  });
  await node.learnTypes();
  let hasAsked = false;
  void line.loseFrom('typarray').then(() => {
    hasAsked = true;
  });
  for (const work of ['core', 'browsing', 'background'] as const) {
    const [row] = await runAs(
      work,
      async () => await node.database.execute(sql`select ${sql.param(['a', 'b'])}::text[] as words`),
    );
    expect(row).toEqual({ words: ['a', 'b'] });
  }
  expect(hasAsked).toBe(false);
});
