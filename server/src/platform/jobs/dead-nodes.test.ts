import { nowMs } from '@tara/contract/clock';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { startTestJobs } from '../../testing/jobs.ts';
import { test as base } from '../../testing/test.ts';
import { quietLog } from '../log.ts';
import { defineTask, enqueue, type Task } from './task.ts';

const patient = { timeout: 60_000 };

/** Nodes that end with the test; their notes and looks come when the test says so. */
const test = base
  .extend('start', ({ connection, onTestFinished }) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(async () => {
      vi.useRealTimers();
      await connection.sql`delete from graphile_worker._private_jobs`;
    });
    return async (
      tasks: Record<string, Task>,
      options: Pick<Parameters<typeof startTestJobs>[0], 'schedule' | 'concurrency' | 'repair'> = {},
    ) => {
      const jobs = await startTestJobs({ databaseUrl: connection.url, log: quietLog(), tasks, ...options });
      onTestFinished(() => jobs.stop());
      return jobs;
    };
  })
  .extend('queued', ({ connection }) => async () => [
    ...(await connection.sql<{ id: number; pool: string | null; attempts: number; n: number }[]>`
      select id, locked_by as pool, attempts, (payload ->> 'n')::int as n
      from graphile_worker._private_jobs order by id`),
  ]);

/** What a task of a test waits for. */
const openGate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

test('a node that starts does not take the running job of a living one', async ({
  database,
  start,
  queued,
}) => {
  const gate = openGate();
  let begun = 0;
  const tasks = {
    greet: async () => {
      begun++;
      await gate.opened;
    },
  };
  await start(tasks);
  await enqueue(database, 'greet', { n: 1 });
  await expect.poll(() => begun, patient).toBe(1);
  const before = await queued();
  await start(tasks);
  expect(await queued()).toEqual(before);
  expect(before).toMatchObject([{ pool: expect.stringMatching(/^pool-/), attempts: 1 }]);
  gate.open();
  await expect.poll(queued, patient).toEqual([]);
  expect(begun).toBe(1);
});

test('the jobs and queues of a node that died are given back by one that lives, and not before', async ({
  connection,
  database,
  start,
  queued,
}) => {
  await connection.sql`insert into nodes (id, role, seen_at, pool_id, bus, store)
    values ('gone', 'all', now() - interval '20 seconds', 'pool-gone', 'shared', 'shared')`;
  const sweep = defineTask('sweep', { payload: z.object({ n: z.number() }), alone: true });
  await sweep.enqueue(database, { n: 1 });
  await connection.sql`update graphile_worker._private_jobs
    set locked_by = 'pool-gone', locked_at = now(), attempts = 1`;
  await connection.sql`update graphile_worker._private_job_queues set locked_by = 'pool-gone', locked_at = now()`;
  const done: number[] = [];
  await start(sweep.handledBy(async ({ n }) => void done.push(n)));
  vi.advanceTimersByTime(5000);
  await enqueue(database, 'unknown', { n: 2 });
  expect(await queued()).toMatchObject([{ pool: 'pool-gone' }, { n: 2 }]);
  await connection.sql`update nodes set seen_at = now() - interval '31 seconds' where id = 'gone'`;
  vi.advanceTimersByTime(5000);
  await expect.poll(() => done, patient).toEqual([1]);
  await expect.poll(queued, patient).toMatchObject([{ n: 2 }]);
  expect(await connection.sql`select from nodes where id = 'gone'`).toHaveLength(0);
});

test('the death of a node begins one repair of what it left undone, with the time of its last note', async ({
  connection,
  start,
  queued,
}) => {
  await connection.sql`insert into nodes (id, role, seen_at) values ('dead web', 'web', '2026-01-02 03:04:05Z')`;
  const repaired: unknown[] = [];
  const tasks = { mend: async (payload: unknown) => void repaired.push(payload) };
  await Promise.all([1, 2].map(() => start(tasks, { repair: 'mend' })));
  await expect.poll(() => repaired, patient).toEqual([{ lastNotedAt: '2026-01-02T03:04:05+00:00' }]);
  await expect.poll(queued, patient).toEqual([]);
  expect(repaired).toHaveLength(1);
});

test('jobs whose node was removed by another, which then died itself, do not stay undone', async ({
  database,
  start,
  queued,
}) => {
  const done: number[] = [];
  await start({ greet: async (payload) => void done.push(z.object({ n: z.number() }).parse(payload).n) });
  await database.transaction(async (transaction) => {
    await enqueue(transaction, 'greet', { n: 1 });
    await transaction.execute(
      `update graphile_worker._private_jobs set locked_by = 'pool-gone', locked_at = now(), attempts = 1`,
    );
  });
  for (let look = 0; look < 12; look++) vi.advanceTimersByTime(5000);
  await expect.poll(() => done, patient).toEqual([1]);
  await expect.poll(queued, patient).toEqual([]);
});

test('a node that was paused, and ends a job that was given back, neither removes nor fails what waits since', async ({
  connection,
  database,
  start,
  queued,
}) => {
  const greet = defineTask('greet', { payload: z.object({ n: z.number() }), key: () => 'once' });
  const other = { other: async () => {} };
  const gates = { end: openGate(), fail: openGate() };
  const signals: AbortSignal[] = [];
  const done: number[] = [];
  const fail = defineTask('fail', { payload: z.object({ n: z.number() }) });
  const tasks = {
    ...greet.handledBy(async ({ n }, { signal }) => {
      signals.push(signal);
      if (n === 1) await gates.end.opened;
      done.push(n);
    }),
    ...fail.handledBy(async ({ n }, { attempt }) => {
      if (attempt > 1) return void done.push(n);
      await gates.fail.opened;
      done.push(-n);
      throw new Error('The connection ended.');
    }),
  };
  // It has no place for a third job.
  const paused = await start(tasks, { concurrency: 2 });
  await greet.enqueue(database, { n: 1 });
  await fail.enqueue(database, { n: 3 });
  await expect.poll(queued, patient).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
  await expect.poll(() => signals.length, patient).toBe(1);
  await connection.sql`update nodes set seen_at = now() - interval '31 seconds'`;
  await start(other);
  await greet.enqueue(database, { n: 2 });
  expect(await queued()).toMatchObject([
    { pool: null, n: 2 },
    { pool: null, n: 3, attempts: 1 },
  ]);
  // It does not know yet.
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  gates.end.open();
  gates.fail.open();
  await expect.poll(() => done.toSorted(), patient).toEqual([-3, 1]);
  vi.advanceTimersByTime(3000);
  await expect.poll(() => done.toSorted(), patient).toEqual([-3, 1, 2, 3]);
  await expect.poll(queued, patient).toEqual([]);
  expect(paused.state()).toBe('running');
});

test('a node that was paused leaves its jobs as soon as it goes on', async ({
  connection,
  database,
  start,
  queued,
}) => {
  const signals: AbortSignal[] = [];
  const jobs = await start({
    hang: (_payload, { signal, attempt }) => {
      signals.push(signal);
      if (attempt > 1) return Promise.resolve();
      return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
    },
  });
  await enqueue(database, 'hang', { n: 1 });
  await expect.poll(() => signals.length, patient).toBe(1);
  await connection.sql`update nodes set seen_at = now() - interval '31 seconds'`;
  vi.advanceTimersByTime(3000);
  await expect.poll(() => signals.map(({ aborted }) => aborted), patient).toEqual([true, false]);
  await expect.poll(queued, patient).toEqual([]);
  expect(jobs.state()).toBe('running');
});

test('a scheduled job runs once at each of its times, however many nodes there are', async ({
  start,
  queued,
  onTestFinished,
}) => {
  vi.useRealTimers();
  onTestFinished(() => void vi.useRealTimers());
  const minuteMs = 60_000;
  const firstBeat = Math.floor(nowMs() / minuteMs - 10) * minuteMs;
  vi.setSystemTime(firstBeat - 5);
  const times: string[] = [];
  const sweep = defineTask('sweep', {
    payload: z.object({ _cron: z.object({ ts: z.string() }) }),
    alone: true,
  });
  const tasks = sweep.handledBy(async (payload) => void times.push(payload._cron.ts));
  for (let node = 0; node < 3; node++) await start(tasks, { schedule: { sweep: '* * * * *' } });
  for (let minute = 0; minute < 3; minute++) {
    const now = firstBeat + minute * minuteMs;
    vi.setSystemTime(now + minuteMs - 1);
    await expect.poll(() => times.at(-1), patient).toBe(new Date(now).toISOString());
    await expect.poll(queued, patient).toEqual([]);
  }
  expect(times).toEqual([...new Set(times)]);
});
