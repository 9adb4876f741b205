import { afterAll, beforeAll, expect, it } from 'vitest';
import { quietLog } from '../log.ts';
import { holdSingleNode } from './single-node.ts';
import { createTestDatabase, type TestDatabase } from './testing.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ empty: true });
});
afterAll(() => test.drop());

const hold = (patience: number) =>
  holdSingleNode(test.url, {
    log: quietLog(),
    timeoutMs: patience,
    onLost: () => expect.unreachable('the lock was lost'),
  });

it('refuses a second node and says why, until the first is gone', async () => {
  const first = await hold(0);
  await expect(hold(0)).rejects.toThrow('Another node is already running on this database.');
  const patient = hold(5000);
  await first.release();
  await (await patient).release();
});

it('takes the lock again after a lost connection', async () => {
  const node = await hold(0);
  const holders = () =>
    test.sql<{ pid: number }[]>`select pid from pg_locks where locktype = 'advisory' and granted`;
  const before = (await holders())[0]?.pid ?? 0;
  await test.sql`select pg_terminate_backend(${before})`;
  await expect.poll(async () => (await holders())[0]?.pid ?? before, { timeout: 5000 }).not.toBe(before);
  await node.release();
});
