import { nowDate, nowMs } from '@tara/contract/clock';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '../../testing/database.ts';
import { openDatabaseLine } from '../../testing/faults/database-line.ts';
import { oddErrors } from '../../testing/faults/odd-errors.ts';
import { startTestJobs } from '../../testing/jobs.ts';
import { test as base } from '../../testing/test.ts';
import type { Sql } from '../database/connect.ts';
import { openLog, quietLog } from '../log.ts';
import { postponedItems } from './tables.ts';
import { defineTask, enqueue, type JobHelpers, RetryLater, type Task } from './task.ts';

/** How long a test waits for a job: a busy machine is slow. */
const patient = { timeout: 60_000 };
const running: { stop(): Promise<void> }[] = [];
const test = base
  .extend('start', { scope: 'file' }, ({ connection }) => async (tasks: Record<string, Task>) => {
    const jobs = await startTestJobs({ databaseUrl: connection.url, tasks, log: quietLog() });
    running.push(jobs);
    return jobs;
  })
  .extend(
    'waiting',
    { scope: 'file' },
    ({ connection }) =>
      async () =>
        (await connection.sql`select 1 from graphile_worker._private_jobs`).length,
  );

test.afterEach(async ({ connection }) => {
  await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
  await connection.sql`delete from graphile_worker._private_jobs`;
});

test('does a job soon after its transaction is committed', async ({ database, start, waiting }) => {
  const done: unknown[] = [];
  await start({ greet: async (payload) => void done.push(payload) });
  await database.transaction((transaction) => enqueue(transaction, 'greet', { name: 'Ana' }));
  await expect.poll(() => done, patient).toEqual([{ name: 'Ana' }]);
  await expect.poll(waiting).toBe(0);
});

test('enqueues nothing from a transaction that is rolled back', async ({ database, waiting }) => {
  await expect(
    database.transaction(async (transaction) => {
      await enqueue(transaction, 'greet', {});
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await waiting()).toBe(0);
});

test('keeps jobs for the next start, also those a killed server had begun', async ({
  connection,
  database,
  start,
}) => {
  await enqueue(database, 'greet', { name: 'Ben' });
  await connection.sql`update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now(), attempts = 1`;
  const done: unknown[] = [];
  await start({ greet: async (payload) => void done.push(payload) });
  await expect.poll(() => done, patient).toEqual([{ name: 'Ben' }]);
});

/** The jobs in the queue, in their order. */
const queued = async (sql: Sql) =>
  (
    await sql<{ attempts: number; maxAttempts: number; reason: string | null; waitSeconds: number }[]>`
      select attempts, max_attempts as "maxAttempts", last_error as reason,
        extract(epoch from run_at - now())::float8 as "waitSeconds"
      from graphile_worker._private_jobs where locked_by is null order by id`
  ).map((job) => ({ ...job, waitSeconds: Math.max(Math.round(job.waitSeconds), 0) }));

test.for([1, 5, 25])(
  'a job does not stay undone whose server was killed in the last of %i tries',
  async (tries, { connection, database, start }) => {
    await enqueue(database, 'greet', { name: 'Ben' }, { maxAttempts: tries, key: 'Ben' });
    await connection.sql`update graphile_worker._private_jobs
      set locked_by = 'killed', locked_at = now(), attempts = max_attempts`;
    const done: unknown[] = [];
    const jobs = await start({ greet: async (payload) => void done.push(payload) });
    await expect.poll(() => done, patient).toEqual([{ name: 'Ben' }]);
    await jobs.stop();
    expect(await queued(connection.sql)).toEqual([]);
  },
);

test('a job during which the server ends again and again is not begun at once at each start', async ({
  connection,
  database,
  start,
}) => {
  await enqueue(database, 'fatal', {}, { maxAttempts: 5 });
  const waits: number[] = [];
  for (let kill = 1; kill <= 6; kill++) {
    await connection.sql`update graphile_worker._private_jobs
      set locked_by = 'killed', locked_at = now(), run_at = now(), attempts = attempts + 1`;
    const jobs = await start({ other: async () => {} });
    waits.push((await queued(connection.sql))[0]?.waitSeconds ?? -1);
    await jobs.stop();
  }
  expect(waits).toEqual([0, 7, 20, 55, 148, 403]);
  expect(await queued(connection.sql)).toMatchObject([{ maxAttempts: 7, reason: 'It was cut off.' }]);
});

test('a job that was replaced while it ran is not done again after its server was killed', async ({
  connection,
  database,
  start,
}) => {
  const greet = defineTask('greet', { payload: z.object({ n: z.number() }), key: () => 'once' });
  await greet.enqueue(database, { n: 1 });
  await connection.sql`update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now(), attempts = 1`;
  await greet.enqueue(database, { n: 2 });
  const done: number[] = [];
  const jobs = await start(greet.handledBy(async ({ n }) => void done.push(n)));
  await expect.poll(() => done, patient).toEqual([2]);
  await expect.poll(() => queued(connection.sql)).toEqual([]);
  expect(jobs.failing()).toBe(0);
});

test('a job that keeps its time also does so after a failed try, and comes earlier when it is to', async ({
  connection,
  database,
}) => {
  const inSeconds = (seconds: number) => new Date(nowMs() + seconds * 1_000);
  const again = (seconds: number) =>
    enqueue(database, 'greet', {}, { key: 'Ana', keepsTime: true, runAt: inSeconds(seconds) });
  const waits = async () => (await queued(connection.sql)).map(({ waitSeconds }) => waitSeconds);
  await again(600);
  await again(900);
  expect(await waits()).toEqual([600]);
  await connection.sql`update graphile_worker._private_jobs set attempts = 1`;
  await again(900);
  expect(await waits()).toEqual([600]);
  await connection.sql`update graphile_worker._private_jobs set attempts = 1`;
  await again(300);
  expect(await waits()).toEqual([300]);
});

test('several jobs are queued at once, of those with the same key the last', async ({
  connection,
  database,
  start,
}) => {
  const greet = defineTask('greet', {
    payload: z.object({ name: z.string(), n: z.number() }),
    key: ({ name }) => name,
  });
  const payloads = [
    { name: 'Cora', n: 1 },
    { name: 'Ana', n: 2 },
    { name: 'Cora', n: 3 },
  ];
  await greet.enqueueMany(database, []);
  for (const keepsTime of [false, true]) await greet.enqueueMany(database, payloads, { keepsTime });
  expect(await queued(connection.sql)).toHaveLength(2);
  const done: number[] = [];
  await start(greet.handledBy(async ({ n }) => void done.push(n)));
  await expect.poll(() => done.toSorted(), patient).toEqual([2, 3]);
});

test('nobody is left unaware of a job that gave up, or failed ten times', async ({
  connection,
  database,
  onTestFinished,
}) => {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({
    level: 'error',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const greet = defineTask('greet', { payload: z.object({ n: z.number() }), maxAttempts: 1 });
  await enqueue(database, 'refund', {});
  await connection.sql`update graphile_worker._private_jobs
    set attempts = 10, last_error = 'no wallet', run_at = now() + interval '6 hours'`;
  await enqueue(database, 'other', {});
  await database.insert(postponedItems).values([
    { work: 'sweep', itemId: 'bad', attempts: 10, retryAt: nowDate(), lastError: 'poisoned' },
    { work: 'sweep', itemId: 'new', attempts: 9, retryAt: nowDate(), lastError: 'poisoned' },
  ]);
  onTestFinished(async () => void (await database.delete(postponedItems)));
  const tasks = greet.handledBy(() => Promise.reject(new Error('never')));
  const jobs = await startTestJobs({ databaseUrl: connection.url, tasks, log });
  running.push(jobs);
  await expect.poll(() => jobs.failing(), patient).toBe(2);
  await greet.enqueue(database, { n: 1 });
  await expect.poll(async () => (await queued(connection.sql)).length, patient).toBe(3);
  await expect.poll(async () => (await queued(connection.sql)).at(-1)?.reason, patient).toBe('never');
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => jobs.failing(), patient).toBe(3);
  vi.advanceTimersByTime(60_000);
  expect(lines.filter(({ msg }) => String(msg).includes('needs a person'))).toMatchObject([
    {
      work: 'refund',
      attempts: 10,
      lastError: 'no wallet',
      msg: 'a job fails again and again: it needs a person',
    },
    { work: 'sweep', itemId: 'bad', lastError: 'poisoned' },
    { work: 'greet', attempts: 1, lastError: 'never', msg: 'a job gave up: it needs a person' },
  ]);
});

test('a job that must be done never gives up', async ({ connection, database, start }) => {
  await enqueue(database, 'refund', {});
  await connection.sql`update graphile_worker._private_jobs set attempts = 200`;
  const attempts: number[] = [];
  await start({ refund: async (_payload, { attempt }) => void attempts.push(attempt) });
  await expect.poll(() => attempts, patient).toEqual([201]);
});

test('a job that the other side asked to wait is not tried before', async ({
  connection,
  database,
  start,
}) => {
  await enqueue(database, 'push', {}, { maxAttempts: 5 });
  const until = new Date(nowMs() + 600_000);
  const tries: number[] = [];
  await start({
    push: async (_payload, { attempt }) => {
      tries.push(attempt);
      throw new RetryLater('It answered 429', until);
    },
  });
  await expect.poll(async () => (await queued(connection.sql))[0]?.reason, patient).toBe('It answered 429');
  const [{ waitSeconds = 0 } = {}] = await queued(connection.sql);
  expect(waitSeconds).toBeGreaterThan(550);
  expect(waitSeconds).toBeLessThan(650);
  expect(tries).toEqual([1]);
});

test('a task that never ends does not keep its place, nor its queue, from others', async ({
  connection,
  database,
  start,
}) => {
  const signals: AbortSignal[] = [];
  const hang = defineTask('hang', { payload: z.object({}), timeoutMinutes: 0.1 / 60, maxAttempts: 1 });
  const sweep = defineTask('sweep', { payload: z.object({}), alone: true, timeoutMinutes: 0.1 / 60 });
  const done: string[] = [];
  const never = (_payload: object, { signal, attempt }: JobHelpers) => {
    if (attempt > 1) return Promise.resolve(void done.push('sweep'));
    signals.push(signal);
    return new Promise<void>(() => {});
  };
  for (let place = 0; place < 3; place++) await hang.enqueue(database, {});
  await sweep.enqueue(database, {});
  await start({
    ...hang.handledBy(never),
    ...sweep.handledBy(never),
    greet: async () => void done.push('greet'),
  });
  await enqueue(database, 'greet', {});
  await expect.poll(() => done.toSorted(), patient).toEqual(['greet', 'sweep']);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
  expect(await queued(connection.sql)).toMatchObject(
    [1, 2, 3].map(() => ({ attempts: 1, reason: 'It took longer than 0.1 s.' })),
  );
});

test('what nobody waits for comes after what somebody waits for, however long it has been due', async ({
  database,
  start,
}) => {
  const order: string[] = [];
  const anHourAgo = new Date(nowMs() - 3_600_000);
  const note = (name: string) => async () => void order.push(name);
  for (const priority of ['bulk', 'push', 'usual', 'awaited'] as const)
    await enqueue(database, priority, {}, { priority, queue: 'one', runAt: anHourAgo });
  await start({ awaited: note('awaited'), bulk: note('bulk'), push: note('push'), usual: note('usual') });
  await expect.poll(() => order, patient).toEqual(['awaited', 'usual', 'push', 'bulk']);
});

test('a kind of job has its own priority, unless one is given', async ({ connection, database }) => {
  const push = defineTask('push', { payload: z.object({}), priority: 'push' });
  await push.enqueue(database, {});
  await push.enqueue(database, {}, { priority: 'awaited' });
  const rows = await connection.sql`select priority from graphile_worker._private_jobs order by id`;
  expect(rows.map(({ priority }) => priority)).toEqual([1, -1]);
});

test('replaces a waiting job of the same key', async ({ database, start }) => {
  await enqueue(database, 'greet', { n: 1 }, { key: 'once' });
  await enqueue(database, 'greet', { n: 2 }, { key: 'once' });
  const done: unknown[] = [];
  await start({ greet: async (payload) => void done.push(payload) });
  await expect.poll(() => done, patient).toEqual([{ n: 2 }]);
});

test('queues a task once by its key, and rejects a payload of another form', async ({ database, start }) => {
  const payload = z.object({ id: z.string(), n: z.number() });
  const greet = defineTask('greet', { payload, key: ({ id }) => id });
  await greet.enqueue(database, { id: 'a', n: 1 });
  await greet.enqueue(database, { id: 'a', n: 2 });
  await greet.enqueue(database, { id: 'b', n: 3 });
  const done: number[] = [];
  const handler = greet.handledBy(async ({ n }) => void done.push(n));
  await start(handler);
  await expect.poll(() => done.toSorted(), patient).toEqual([2, 3]);
  const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: AbortSignal.timeout(1000) };
  await expect(handler.greet({ id: 'a' }, helpers)).rejects.toThrow(z.ZodError);
});

/** A task that counts how many of it run, and how many at once, and ends when it is let. */
function heldTask() {
  const held = { begun: 0, atOnce: 0, most: 0, end: Promise.withResolvers<void>() };
  const task = async () => {
    held.begun++;
    held.most = Math.max(held.most, ++held.atOnce);
    await held.end.promise;
    held.atOnce--;
  };
  return { held, task };
}

test('a scheduled job that was late for an hour is done once more, not for each minute, nor beside itself', async ({
  connection,
  onTestFinished,
  waiting,
}) => {
  onTestFinished(() => void vi.useRealTimers());
  const hourMs = 3_600_000;
  const firstBeat = Math.floor(nowMs() / hourMs - 2) * hourMs;
  vi.setSystemTime(firstBeat - 5);
  const { held, task } = heldTask();
  const jobs = await startTestJobs({
    databaseUrl: connection.url,
    log: quietLog(),
    tasks: { sweep: task },
    schedule: { sweep: '* * * * *' },
  });
  running.push(jobs);
  // As a server that was suspended.
  vi.setSystemTime(firstBeat + hourMs - 1);
  const lastBeat = new Date(firstBeat + hourMs - 60_000).toISOString();
  const queuedLast = async () =>
    (
      await connection.sql`
      select 1 from graphile_worker._private_jobs where payload -> '_cron' ->> 'ts' = ${lastBeat}`
    ).length;
  await expect.poll(queuedLast, patient).toBe(1);
  await expect.poll(() => held.begun, patient).toBe(1);
  expect(await waiting()).toBeLessThanOrEqual(2);
  held.end.resolve();
  await expect.poll(waiting, patient).toBe(0);
  expect(held.begun).toBeLessThanOrEqual(2);
  expect(held.most).toBe(1);
});

test('a scheduled task is tried no more often than it says', async ({
  connection,
  onTestFinished,
  waiting,
}) => {
  onTestFinished(() => void vi.useRealTimers());
  const minuteMs = 60_000;
  const firstBeat = Math.floor(nowMs() / minuteMs - 5) * minuteMs;
  vi.setSystemTime(firstBeat - 5);
  const tries: number[] = [];
  const sweep = defineTask('sweep', { payload: z.object({}), alone: true, maxAttempts: 2 });
  const tasks = sweep.handledBy(async (_payload, { maxAttempts }) => void tries.push(maxAttempts));
  const schedule = { sweep: '* * * * *' };
  running.push(await startTestJobs({ databaseUrl: connection.url, log: quietLog(), tasks, schedule }));
  vi.setSystemTime(firstBeat + minuteMs - 1);
  await expect.poll(() => tries.length, patient).toBeGreaterThan(0);
  await expect.poll(waiting, patient).toBe(0);
  expect(new Set(tries)).toEqual(new Set([2]));
});

test('a task that is alone does not run on two nodes at once, and waits once', async ({
  connection,
  database,
  start,
  waiting,
}) => {
  const sweep = defineTask('sweep', { payload: z.object({}), alone: true });
  const { held, task } = heldTask();
  let probed = 0;
  const tasks = { ...sweep.handledBy(task), probe: async () => void probed++ };
  for (let node = 0; node < 2; node++) await start(tasks);
  await sweep.enqueue(database, {});
  await expect.poll(() => held.begun, patient).toBe(1);
  for (let round = 0; round < 5; round++) await sweep.enqueue(database, {});
  // Others are not kept waiting; by the last of them the second would have begun.
  for (let round = 0; round < 6; round++) await enqueue(database, 'probe', {});
  await expect.poll(() => probed, patient).toBe(6);
  // The last of them is removed after it was counted.
  await expect.poll(waiting, patient).toBe(2);
  held.end.resolve();
  await expect.poll(waiting, patient).toBe(0);
  expect(held).toMatchObject({ begun: 2, most: 1 });
  expect(
    await connection.sql`select 1 from graphile_worker._private_job_queues where locked_by is not null`,
  ).toEqual([]);
});

test('a job of another version, that lacks a field or that no code knows, fails or waits alone', async ({
  connection,
  database,
  start,
}) => {
  const done: unknown[] = [];
  const greet = defineTask('greet', { payload: z.object({ name: z.string() }) });
  await enqueue(database, 'unknown', { name: 'Ana' });
  await enqueue(database, 'greet', { title: 'Ms' });
  await connection.sql`select graphile_worker.add_job('greet', '["Ana"]'::json)`;
  await connection.sql`select graphile_worker.add_job('greet', 'null'::json)`;
  await enqueue(database, 'greet', { name: 'Ben', title: 'Mr' });
  const jobs = await start(greet.handledBy(async (payload) => void done.push(payload)));
  await expect.poll(() => done, patient).toEqual([{ name: 'Ben' }]);
  const left = async () =>
    (
      await connection.sql<{ attempts: number; reason: string | null }[]>`
        select attempts, last_error as reason from graphile_worker._private_jobs where locked_by is null order by id`
    ).map((job) => ({ ...job }));
  const failed = { attempts: 1, reason: expect.stringContaining('expected') };
  await expect.poll(left, patient).toEqual([{ attempts: 0, reason: null }, failed, failed, failed]);
  expect(jobs.state()).toBe('running');
});

test('waits until the given time, and tries again after a failure, not at once when the server stops', async ({
  connection,
  database,
  start,
}) => {
  await enqueue(database, 'later', {}, { runAt: new Date(nowMs() + 3_600_000) });
  let attempts = 0;
  await enqueue(database, 'flaky', {}, { maxAttempts: 3 });
  const jobs = await start({
    later: () => expect.unreachable('too early'),
    flaky: async (_payload, { attempt, maxAttempts }) => {
      attempts = attempt;
      expect(maxAttempts).toBe(3);
      throw new Error('provider is away');
    },
  });
  await expect.poll(() => attempts, patient).toBe(1);
  const countFailed = async () =>
    (
      await connection.sql`select 1 from graphile_worker._private_jobs where last_error like 'provider is away%' and run_at > now()`
    ).length;
  await expect.poll(countFailed).toBe(1);
  await jobs.stop();
  expect(await countFailed()).toBe(1);
});

test('is not stopped by any odd error of a task, and notes each', async ({ connection, database, start }) => {
  const jobs = await start({
    throw: async (payload) => {
      throw oddErrors[(payload as { name: string }).name];
    },
  });
  for (const name of Object.keys(oddErrors)) await enqueue(database, 'throw', { name });
  const failures = async () =>
    connection.sql<{ name: string; attempts: number; lastError: string }[]>`
      select payload ->> 'name' as name, attempts, last_error as "lastError"
      from graphile_worker._private_jobs where last_error is not null and locked_by is null`;
  await expect.poll(async () => (await failures()).length, patient).toBe(Object.keys(oddErrors).length);
  for (const { lastError } of await failures()) {
    expect(lastError).not.toBe('');
    expect(lastError.length).toBeLessThanOrEqual(1000);
  }
  expect(jobs.state()).toBe('running');
});

test('stops even if a task hangs, by its signal, and leaves the job to the next start', async ({
  database,
  start,
  waiting,
}) => {
  let begun = false;
  const jobs = await start({
    hang: (_payload, { signal }) => {
      begun = true;
      return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error('stopped'))));
    },
  });
  await enqueue(database, 'hang', {});
  await expect.poll(() => begun, patient).toBe(true);
  await jobs.stop();
  expect(await waiting()).toBe(1);
});

test.for(['leaves by its signal', 'ignores its signal'])(
  'a job that is cut off in its last try by a stop, and %s, does not stay undone',
  async (way, { connection, database, start }) => {
    const begun: number[] = [];
    const tasks = {
      hang: (_payload: unknown, { signal, attempt }: JobHelpers) => {
        begun.push(attempt);
        if (attempt === 2) return Promise.resolve();
        return new Promise<void>((_done, fail) => {
          if (way === 'leaves by its signal')
            signal.addEventListener('abort', () => fail(new Error('stopped')));
        });
      },
    };
    const jobs = await start(tasks);
    await enqueue(database, 'hang', {}, { maxAttempts: 1 });
    await expect.poll(() => begun, patient).toEqual([1]);
    await jobs.stop();
    await start(tasks);
    await expect.poll(() => begun, patient).toEqual([1, 2]);
    await expect.poll(() => queued(connection.sql), patient).toEqual([]);
  },
);

test('lets a database be dropped right after it stopped: no connection error is unhandled', async () => {
  for (let round = 0; round < 10; round++) {
    const own = await createTestDatabase();
    const jobs = await startTestJobs({
      databaseUrl: own.url,
      tasks: { greet: async () => {} },
      log: quietLog(),
    });
    await jobs.stop();
    await own.drop();
  }
});

test('goes on after the database was lost while jobs ran, and does those again', async ({
  connection,
  database,
  waiting,
}) => {
  // The library prints the errors of workers there.
  vi.spyOn(console, 'trace').mockReturnValue();
  const line = await openDatabaseLine(connection.url);
  const lost = Promise.withResolvers<void>();
  const name = z.object({ name: z.string() });
  const greet = defineTask('greet', { payload: name });
  const begun: string[] = [];
  const done: string[] = [];
  const signals: AbortSignal[] = [];
  const jobs = await startTestJobs({
    databaseUrl: line.url,
    log: quietLog(),
    tasks: greet.handledBy(async ({ name }, { attempt, signal }) => {
      begun.push(name);
      signals.push(signal);
      if (attempt === 1 && name !== 'Cleo') await lost.promise;
      if (attempt === 1 && name === 'Ben') throw new Error('no');
      done.push(name);
    }),
  });
  running.push(jobs);
  for (const name of ['Ana', 'Ben']) await greet.enqueue(database, { name });
  await expect.poll(() => begun.toSorted(), patient).toEqual(['Ana', 'Ben']);
  line.cut();
  lost.resolve();
  await expect.poll(() => jobs.state(), patient).toBe('away');
  await greet.enqueue(database, { name: 'Cleo' });
  await line.join();
  await expect.poll(waiting, patient).toBe(0);
  expect(done.toSorted()).toEqual(['Ana', 'Ana', 'Ben', 'Cleo']);
  // What still ran is told to leave before it is done again.
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false, false, false]);
  expect(jobs.state()).toBe('running');
  line.cut();
});

// An error that nothing caught fails the file; it would end the server.
test('stops when the database is lost before it answered that it listens', async ({ connection }) => {
  const line = await openDatabaseLine(connection.url);
  const stopping = Promise.withResolvers<void>();
  const write = (line: string) => {
    if (line.includes('Attempting graceful shutdown')) stopping.resolve();
  };
  const log = openLog({ level: 'trace', destination: { write } });
  const isListening = line.loseFrom('LISTEN "jobs:insert"');
  const jobs = await startTestJobs({ databaseUrl: line.url, tasks: { greet: async () => {} }, log });
  await isListening;
  const stopped = jobs.stop();
  await stopping.promise;
  line.cut();
  await stopped;
});
