import { expect } from 'vitest';
import { test } from '../../testing/test.ts';
import { runStatement } from './prepared.ts';

test('a statement that takes too long is cancelled, and its connection stays usable', async ({
  database,
}) => {
  const limits = { prepare: false, timeoutMs: 20 };
  const slow = Array.from({ length: 3 }, () => runStatement(database, 'select pg_sleep(600)', [], limits));
  for (const outcome of await Promise.allSettled(slow))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { type: 'database_timeout', code: 408 } });
  const patient = { prepare: true, timeoutMs: 60_000 };
  for (const text of ['a', 'b'])
    expect(await runStatement(database, 'select $1::text, 1', [text], patient)).toEqual([[text, 1]]);
});
