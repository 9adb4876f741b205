import { expect, vi } from 'vitest';
import { test as base } from '../../testing/test.ts';
import type { Sql } from '../database/connect.ts';
import { quietLog } from '../log.ts';
import type { NodeParts } from './admission.ts';
import { joinNodes } from './join.ts';

const shared = { bus: 'redis', store: 'store' };

/** Joins as a node that leaves at the end of the test; time goes on when the test says so. */
const test = base
  .extend('rows', ({ connection }) => async () => [
    ...(await connection.sql<
      { id: string; role: string; pool: string | null; isSeen: boolean }[]
    >`select id, role, pool_id as pool, seen_at > now() - interval '10 seconds' as "isSeen" from nodes order by started_at`),
  ])
  .extend('join', ({ connection, onTestFinished }) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    return async (
      role: string,
      parts: NodeParts = shared,
      onLost: () => void = () => expect.unreachable('was lost'),
    ) => {
      const node = await joinNodes(connection.sql, { role, log: quietLog(), parts, onLost });
      onTestFinished(node.leave);
      return node;
    };
  });

test('is in the list until it leaves, seen by the clock of the database', async ({
  connection,
  join,
  rows,
}) => {
  const web = await join('web');
  const worker = await join('worker');
  await worker.setPool('pool-1');
  await connection.sql`update nodes set seen_at = now() - interval '20 seconds'`;
  vi.advanceTimersByTime(3000);
  await expect.poll(rows).toMatchObject([
    { id: web.id, role: 'web', pool: null, isSeen: true },
    { id: worker.id, role: 'worker', pool: 'pool-1', isSeen: true },
  ]);
  await expect
    .poll(() => web.others())
    .toEqual([{ id: worker.id, role: 'worker', ageMs: expect.any(Number) }]);
  expect(worker.others()).toMatchObject([{ id: web.id, role: 'web' }]);
  await web.leave();
  expect(await rows()).toMatchObject([{ id: worker.id }]);
});

test('has a successor while another one lives that serves members', async ({ connection, join }) => {
  const node = await join('all');
  await join('worker');
  expect(await node.hasSuccessor()).toBe(false);
  await join('web');
  expect(await node.hasSuccessor()).toBe(true);
  await connection.sql`update nodes set seen_at = now() - interval '31 seconds' where role = 'web'`;
  expect(await node.hasSuccessor()).toBe(false);
});

test('does not wait for one that was paused while it entered', async ({ connection, join }) => {
  const { promise: paused, resolve: end } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const other = connection.sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(7420003)`;
    enter();
    await paused;
  });
  await entered;
  await expect(join('all')).rejects.toThrow('lock timeout');
  end();
  await other;
  await join('all');
});

test('that holds the database alone takes all others for dead', async ({ join, rows }) => {
  await join('all');
  const alone = await join('all', { bus: null, store: null });
  expect(await rows()).toMatchObject([{ id: alone.id }]);
});

test.for<[string, string]>([
  ['was dead by the clock of the database', "update nodes set seen_at = now() - interval '31 seconds'"],
  ['was removed by another', 'delete from nodes'],
])('that %s hears it, and comes back without its jobs', async ([, statement], { connection, join, rows }) => {
  const node = await join('all');
  await node.setPool('pool-1');
  const onSilent = vi.fn<() => void>();
  node.onSilent(onSilent);
  vi.advanceTimersByTime(3000);
  await connection.sql.unsafe(statement);
  vi.advanceTimersByTime(3000);
  await expect.poll(rows).toMatchObject([{ id: node.id, pool: null, isSeen: true }]);
  expect(onSilent).toHaveBeenCalledOnce();
});

test('that gets no answer of the database takes itself for dead before the others do', async ({
  connection,
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let isAway = false;
  const { begin } = connection.sql;
  const unsafe = (...args: Parameters<Sql['unsafe']>) =>
    isAway ? new Promise(() => {}) : connection.sql.unsafe(...args);
  const node = await joinNodes(
    { unsafe: unsafe as Sql['unsafe'], begin },
    { role: 'all', log: quietLog(), parts: shared, onLost: () => {} },
  );
  onTestFinished(async () => {
    isAway = false;
    await node.leave();
  });
  const onSilent = vi.fn<() => void>();
  node.onSilent(onSilent);
  isAway = true;
  vi.advanceTimersByTime(24_000);
  expect(onSilent).not.toHaveBeenCalled();
  vi.advanceTimersByTime(3000);
  expect(onSilent).toHaveBeenCalledOnce();
});

test('that shares other things than the others is refused, also one that comes back after a pause', async ({
  connection,
  join,
  rows,
}) => {
  const onLost = vi.fn<() => void>();
  const paused = await join('all', shared, onLost);
  const other = { ...shared, store: 'store-2' };
  await expect(join('all', other)).rejects.toThrow('S3_BUCKET, and those of the two differ');
  await connection.sql`update nodes set seen_at = now() - interval '31 seconds'`;
  const next = await join('all', other);
  vi.advanceTimersByTime(3000);
  await expect.poll(() => onLost.mock.calls.length).toBe(1);
  expect(await rows()).toMatchObject([{ id: paused.id, isSeen: false }, { id: next.id }]);
});
