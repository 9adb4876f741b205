import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../database/testing.ts';
import { quietLog } from '../log.ts';
import { startJobs } from './start.ts';
import { defineTask, enqueue, type Task } from './task.ts';

let test: TestDatabase;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
  await test.sql`delete from graphile_worker._private_jobs`;
});
afterAll(() => test.drop());

async function start(tasks: Record<string, Task>) {
  const jobs = await startJobs({ databaseUrl: test.url, tasks, log: quietLog() });
  running.push(jobs);
  return jobs;
}

const waiting = async () => (await test.sql`select 1 from graphile_worker._private_jobs`).length;

it('does a job soon after its transaction is committed', async () => {
  const done: unknown[] = [];
  await start({ greet: async (payload) => void done.push(payload) });
  await test.database.transaction((transaction) => enqueue(transaction, 'greet', { name: 'Ana' }));
  await expect.poll(() => done, { timeout: 1000 }).toEqual([{ name: 'Ana' }]);
  await expect.poll(waiting).toBe(0);
});

it('enqueues nothing from a transaction that is rolled back', async () => {
  await expect(
    test.database.transaction(async (transaction) => {
      await enqueue(transaction, 'greet', {});
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await waiting()).toBe(0);
});

it('keeps jobs for the next start, also those a killed server had begun', async () => {
  await enqueue(test.database, 'greet', { name: 'Ben' });
  await test.sql`update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now(), attempts = 1`;
  const done: unknown[] = [];
  await start({ greet: async (payload) => void done.push(payload) });
  await expect.poll(() => done, { timeout: 3000 }).toEqual([{ name: 'Ben' }]);
});

it('replaces a waiting job of the same key', async () => {
  await enqueue(test.database, 'greet', { n: 1 }, { key: 'once' });
  await enqueue(test.database, 'greet', { n: 2 }, { key: 'once' });
  const done: unknown[] = [];
  await start({ greet: async (payload) => void done.push(payload) });
  await expect.poll(() => done, { timeout: 3000 }).toEqual([{ n: 2 }]);
});

it('queues a task once by its key, and rejects a payload of another form', async () => {
  const payload = z.object({ id: z.string(), n: z.number() });
  const greet = defineTask('greet', { payload, key: ({ id }) => id });
  await greet.enqueue(test.database, { id: 'a', n: 1 });
  await greet.enqueue(test.database, { id: 'a', n: 2 });
  await greet.enqueue(test.database, { id: 'b', n: 3 });
  const done: number[] = [];
  const handler = greet.handledBy(async ({ n }) => void done.push(n));
  await start(handler);
  await expect.poll(() => done.toSorted(), { timeout: 3000 }).toEqual([2, 3]);
  const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: AbortSignal.timeout(1000) };
  await expect(handler.greet({ id: 'a' }, helpers)).rejects.toThrow(z.ZodError);
});

it('waits until the given time, and tries again after a failure', async () => {
  await enqueue(test.database, 'later', {}, { runAt: new Date(Date.now() + 3_600_000) });
  let attempts = 0;
  await enqueue(test.database, 'flaky', {}, { maxAttempts: 3 });
  await start({
    later: () => expect.unreachable('too early'),
    flaky: async (_payload, { attempt, maxAttempts }) => {
      attempts = attempt;
      expect(maxAttempts).toBe(3);
      throw new Error('provider is away');
    },
  });
  await expect.poll(() => attempts, { timeout: 3000 }).toBe(1);
  await expect
    .poll(
      async () =>
        (
          await test.sql`select 1 from graphile_worker._private_jobs where last_error like 'provider is away%' and run_at > now()`
        ).length,
    )
    .toBe(1);
});

it('stops within 5 s even if a task hangs', async () => {
  let begun = false;
  const jobs = await start({
    hang: (_payload, { signal }) => {
      begun = true;
      return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error('stopped'))));
    },
  });
  await enqueue(test.database, 'hang', {});
  await expect.poll(() => begun, { timeout: 3000 }).toBe(true);
  const from = Date.now();
  await jobs.stop();
  expect(Date.now() - from).toBeLessThan(5000);
  expect(await waiting()).toBe(1);
});

it('lets a database be dropped right after it stopped: no connection fails unheard', async () => {
  for (let round = 0; round < 10; round++) {
    const own = await createTestDatabase();
    const jobs = await startJobs({ databaseUrl: own.url, tasks: {}, log: quietLog() });
    await jobs.stop();
    await own.drop();
  }
});
