import { expect } from 'vitest';
import { test as base } from '../../testing/test.ts';
import { quietLog } from '../log.ts';
import { holdSingleNode } from './single-node.ts';

const test = base.extend('migrated', { scope: 'file' }, false).extend(
  'hold',
  { scope: 'file' },
  ({ connection }) =>
    (timeoutMs: number) =>
      holdSingleNode(connection.url, {
        log: quietLog(),
        timeoutMs,
        onLost: () => expect.unreachable('the lock was lost'),
      }),
);

test('refuses a second node and says why, until the first is gone', async ({ hold }) => {
  const first = await hold(0);
  await expect(hold(0)).rejects.toThrow('Another node is already running on this database.');
  const second = hold(5000);
  await first.release();
  await (await second).release();
});

test('takes the lock again after a lost connection', async ({ connection, hold }) => {
  const node = await hold(0);
  const holders = () =>
    connection.sql<{ pid: number }[]>`select pid from pg_locks where locktype = 'advisory' and granted`;
  const before = (await holders())[0]?.pid ?? 0;
  await connection.sql`select pg_terminate_backend(${before})`;
  await expect.poll(async () => (await holders())[0]?.pid ?? before, { timeout: 30_000 }).not.toBe(before);
  await node.release();
});
