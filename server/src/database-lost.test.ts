import { expect } from 'vitest';
import { openDatabaseLine } from './testing/faults/database-line.ts';
import { startTest as test } from './testing/process.ts';

const patient = { timeout: 60_000 };

test('the server does not end when the database is lost while a job runs, and does it once it is back', async ({
  connection,
  onTestFinished,
  start,
}) => {
  const { sql } = connection;
  const line = await openDatabaseLine(connection.url);
  onTestFinished(line.cut);
  const server = await start({ DATABASE_URL: line.url }, '--empty');
  const ready = async () => (await (await fetch(`${server.url}/readyz`)).json()) as Record<string, unknown>;
  await expect.poll(ready, patient).toEqual({ status: 'ok', jobs: 'running', failing: 0 });
  const jobs = async () =>
    (
      await sql<{ attempts: number; locked: boolean }[]>`
      select attempts, locked_by is not null as locked from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = task_id where identifier = 'accounts.cleanUp'`
    ).map((job) => ({ ...job }));
  await sql.begin(async (holder) => {
    await holder`lock table tokens`;
    await sql`select graphile_worker.add_job('accounts.cleanUp', '{}'::json)`;
    await expect.poll(jobs, patient).toEqual([{ attempts: 1, locked: true }]);
    await expect
      .poll(
        async () =>
          (
            await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
          ).length,
        patient,
      )
      .toBe(1);
    line.cut();
    await expect.poll(ready, patient).toMatchObject({ type: 'general_unavailable' });
    await expect.poll(() => server.output().out, patient).toContain('the queue was lost');
  });
  await line.join();
  await expect.poll(ready, patient).toEqual({ status: 'ok', jobs: 'running', failing: 0 });
  await expect.poll(jobs, patient).toEqual([]);
  await sql`select graphile_worker.add_job('accounts.cleanUp', '{}'::json)`;
  await expect.poll(jobs, patient).toEqual([]);
  expect((await server.stop()).code).toBe(0);
});
