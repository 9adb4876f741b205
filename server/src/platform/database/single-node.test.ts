import { expect, vi } from 'vitest';
import { test as base } from '../../testing/test.ts';
import { quietLog } from '../log.ts';
import { holdSingleNode } from './single-node.ts';

const test = base.extend(
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

test('refuses a second node while the first notes that it lives', async ({
  connection,
  hold,
  onTestFinished,
}) => {
  const first = await hold(0);
  await connection.sql`insert into nodes (id, role) values ('first', 'all')`;
  const notes = setInterval(
    () => void connection.sql`update nodes set seen_at = now() - interval '20 seconds'`.execute(),
    20,
  );
  onTestFinished(async () => {
    clearInterval(notes);
    await first.release();
    await connection.sql`delete from nodes`;
  });
  await expect(hold(0)).rejects.toThrow('Another node is already running on this database.');
});

test('takes the database from a node that was paused, which learns it', async ({
  connection,
  hold,
  onTestFinished,
}) => {
  const onLost = vi.fn<() => void>();
  const paused = await holdSingleNode(connection.url, { log: quietLog(), onLost });
  onTestFinished(paused.release);
  await connection.sql`insert into nodes (id, role, seen_at) values ('paused', 'all', now() - interval '29.5 seconds')`;
  const next = await hold(0);
  await expect.poll(() => onLost.mock.calls.length, { timeout: 30_000 }).toBe(1);
  await next.release();
});
