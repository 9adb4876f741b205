import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { openDatabaseLine } from '../../testing/faults/database-line.ts';
import { test as base } from '../../testing/test.ts';
import { isConnectionLoss } from '../database/connect.ts';
import { quietLog } from '../log.ts';
import type { NodeParts } from './admission.ts';
import { holdDatabase } from './hold.ts';

const own = { bus: null, store: null };
const shared = { bus: 'redis', store: 'store' };

const test = base.extend(
  'hold',
  { scope: 'file' },
  ({ connection }) =>
    (timeoutMs: number, parts: NodeParts = own, silentLimitMs = 30_000) =>
      holdDatabase(connection.url, {
        log: quietLog(),
        parts,
        timeoutMs,
        silentLimitMs,
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
    connection.sql<{ pid: number }[]>`select pid from pg_locks join pg_database on oid = database
      where locktype = 'advisory' and granted and datname = current_database()`;
  const before = (await holders())[0]?.pid ?? 0;
  await connection.sql`select pg_terminate_backend(${before})`;
  await expect.poll(async () => (await holders())[0]?.pid ?? before, { timeout: 30_000 }).not.toBe(before);
  await node.release();
});

// An error that nothing caught, such as of the driver's own timers, fails the file.
test('loses a transaction with its connection, and nothing more', async ({ connection, onTestFinished }) => {
  const line = await openDatabaseLine(connection.url);
  const node = await holdDatabase(line.url, { log: quietLog(), parts: own, onLost: () => {} });
  onTestFinished(node.release);
  const work = node.sql.begin(async (transaction) => {
    await transaction.unsafe('select 1');
    line.cut();
    await delay(100);
    await transaction.unsafe('select 2');
  });
  expect(isConnectionLoss(await work.catch((error: unknown) => error))).toBe(true);
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

test('refuses a second node while the first is starting after a crash, and notes nothing yet', async ({
  connection,
  hold,
  onTestFinished,
}) => {
  await connection.sql`insert into nodes (id, role, seen_at) values ('crashed', 'all', now() - interval '1 minute')`;
  const starting = await hold(0);
  onTestFinished(async () => {
    await starting.release();
    await connection.sql`delete from nodes`;
  });
  await expect(hold(300)).rejects.toThrow('Another node is already running on this database.');
});

test('takes the database from a dead node once, of several that start', async ({
  connection,
  hold,
  onTestFinished,
}) => {
  const dead = await holdDatabase(connection.url, { log: quietLog(), parts: own, onLost: () => {} });
  onTestFinished(async () => {
    await dead.release();
    await connection.sql`delete from nodes`;
  });
  await connection.sql`insert into nodes (id, role) values ('dead', 'all')`;
  const starts = await Promise.allSettled(Array.from({ length: 3 }, () => hold(300, own, 500)));
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  for (const start of starts) if (start.status === 'fulfilled') await start.value.release();
});

test('takes the database from a node that was paused, which learns it', async ({
  connection,
  hold,
  onTestFinished,
}) => {
  const onLost = vi.fn<() => void>();
  const paused = await holdDatabase(connection.url, { log: quietLog(), parts: own, onLost });
  onTestFinished(async () => {
    await paused.release();
    await connection.sql`delete from nodes`;
  });
  await connection.sql`insert into nodes (id, role) values ('paused', 'all')`;
  const next = await hold(0, own, 500);
  await expect.poll(() => onLost.mock.calls.length, { timeout: 30_000 }).toBe(1);
  await next.release();
});

test('is held by all nodes that share everything, and by one alone that does not', async ({
  connection,
  hold,
  onTestFinished,
}) => {
  onTestFinished(async () => void (await connection.sql`delete from nodes`));
  const first = await hold(0, shared);
  const second = await hold(0, shared);
  await connection.sql`insert into nodes (id, role, bus, store) values ('first', 'all', 'redis', 'store')`;
  const note = setInterval(() => void connection.sql`update nodes set seen_at = now()`.execute(), 20);
  onTestFinished(() => clearInterval(note));
  await expect(hold(0, { ...shared, store: null })).rejects.toThrow(
    'the same S3_ENDPOINT and S3_BUCKET, and this one has none',
  );
  await first.release();
  await second.release();
  const alone = await hold(0);
  await connection.sql`update nodes set bus = null`;
  await expect(hold(0, shared)).rejects.toThrow('the same REDIS_URL, and that one has none');
  await alone.release();
});
