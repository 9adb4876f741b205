import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { openDatabaseLine } from '../../testing/faults/database-line.ts';
import { test } from '../../testing/test.ts';
import { connect } from './connect.ts';
import { frequentTexts, runStatement } from './prepared.ts';

test('a statement that takes too long is cancelled, and its connection stays usable', async ({
  database,
}) => {
  const slow = Array.from({ length: 3 }, () => runStatement(database, 'select pg_sleep(600)', [], 20));
  for (const outcome of await Promise.allSettled(slow))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { type: 'database_timeout', code: 408 } });
  for (const text of ['a', 'b'])
    expect(await runStatement(database, 'select $1::text, 1', [text], 60_000)).toEqual([[text, 1]]);
});

test('a statement that takes too long while its connection opens loses no connection', async ({
  connection: { url },
}) => {
  const { database, close } = connect(url, { size: 1 });
  await expect(runStatement(database, 'select $1::text', ['a'], 0)).rejects.toMatchObject({
    type: 'database_timeout',
  });
  expect(await runStatement(database, 'select $1::text', ['b'], 60_000)).toEqual([['b']]);
  await close();
});

test('a statement that takes too long while no connection can be opened ends its call, and not the process', async ({
  connection: { url },
}) => {
  const line = await openDatabaseLine(url);
  const { database, close } = connect(line.url, { size: 1 });
  await runStatement(database, 'select 1', [], 60_000);
  line.refuse();
  await expect(runStatement(database, 'select pg_sleep(2)', [], 20)).rejects.toMatchObject({
    type: 'database_timeout',
  });
  expect(await runStatement(database, 'select 2', [], 60_000)).toEqual([[2]]);
  await close();
  line.cut();
});

test('only reads are prepared, of callers as many as their texts are long', () => {
  const isOwn = frequentTexts('own');
  for (const text of ['insert into a values ($1)', 'with a as (insert into b values ($1)) select'])
    expect([isOwn(text), isOwn(text)]).toEqual([false, false]);
  for (const text of ['select $1', '(select $1)', 'select 1'])
    expect([isOwn(text), isOwn(text)]).toEqual([false, true]);
  const isCallers = frequentTexts('callers');
  const long = (number: number) => `select $1 ${'x'.repeat(40_000)} ${number}`;
  expect([1, 2, 3].map((number) => isCallers(long(number)) || isCallers(long(number)))).toEqual([
    true,
    true,
    false,
  ]);
});

test('a statement that comes again is planned once also without parameters, when a caller chose its text', async ({
  connection: { url },
}) => {
  const { database, close } = connect(url, { size: 1 });
  const text = 'select 1 as found from chats limit 0';
  for (let time = 0; time < 3; time++) expect(await runStatement(database, text, [], 60_000)).toEqual([]);
  const prepared = `select count(*)::int from pg_prepared_statements where statement = '${text}'`;
  expect(await runStatement(database, prepared, [], 60_000)).toEqual([[1]]);
  await close();
});

test('a statement that comes again is planned once by each connection, also in a transaction', async ({
  database,
}) => {
  const statement = (name: string) => sql`select ${name}::text as name from chats limit 0`;
  // More than is prepared, by callers.
  for (let number = 0; number < 30; number++)
    for (const text of ['a', 'b'])
      await runStatement(database, `select $1::text, '${`${number}`.padStart(10_000)}'`, [text], 60_000);
  for (const name of ['Ana', 'Ben', 'Cora']) await database.execute(statement(name));
  await database.transaction(async (transaction) => {
    await transaction.execute(statement('Dan'));
    const own = await transaction.execute(
      sql`select count(*)::int as count from pg_prepared_statements where statement like '%as name from chats%' and not statement like '%pg_prepared%'`,
    );
    expect(own).toEqual([{ count: 1 }]);
  });
});
