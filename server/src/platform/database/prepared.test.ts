import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { test } from '../../testing/test.ts';
import { runStatement } from './prepared.ts';

test('a statement that takes too long is cancelled, and its connection stays usable', async ({
  database,
}) => {
  const slow = Array.from({ length: 3 }, () => runStatement(database, 'select pg_sleep(600)', [], 20));
  for (const outcome of await Promise.allSettled(slow))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { type: 'database_timeout', code: 408 } });
  for (const text of ['a', 'b'])
    expect(await runStatement(database, 'select $1::text, 1', [text], 60_000)).toEqual([[text, 1]]);
});

test('a statement that comes again is planned once by each connection, also in a transaction', async ({
  database,
}) => {
  const statement = (name: string) => sql`select ${name}::text as name from chats limit 0`;
  // More than are prepared, by callers.
  for (let number = 0; number < 600; number++)
    for (const text of ['a', 'b']) await runStatement(database, `select $1::text, ${number}`, [text], 60_000);
  for (const name of ['Ana', 'Ben', 'Cora']) await database.execute(statement(name));
  await database.transaction(async (transaction) => {
    await transaction.execute(statement('Dan'));
    const own = await transaction.execute(
      sql`select count(*)::int as count from pg_prepared_statements where statement like '%as name from chats%' and not statement like '%pg_prepared%'`,
    );
    expect(own).toEqual([{ count: 1 }]);
  });
});
