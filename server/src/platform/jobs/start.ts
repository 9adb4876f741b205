import { setTimeout as delay } from 'node:timers/promises';
import { makeWorkerUtils, parseCronItems, run } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Log } from '../log.ts';
import { jobLogger, openPool } from './queue.ts';
import type { Task } from './task.ts';

interface StartJobsOptions {
  readonly databaseUrl: string;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly log: Log;
  /** Jobs at once on this node. */
  readonly concurrency?: number;
  /** Scheduled tasks, with their times: `minute hour day month weekday`, in UTC. */
  readonly schedule?: Readonly<Record<string, string>>;
}

/** Time a task has to finish once the server stops; then its signal fires. */
const stopTimeoutMs = 3000;

/** Gives back the jobs that a killed server had taken. Right because only one node runs on a database (single-node.ts). */
async function releaseAbandoned(pgPool: Pool, log: Log): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool, logger: jobLogger(log) });
  try {
    const ids = await utils.withPgClient(async (client) => {
      const locked = await client.query<{ locked_by: string }>(
        `select locked_by from graphile_worker._private_jobs where locked_by is not null
         union select locked_by from graphile_worker._private_job_queues where locked_by is not null`,
      );
      return locked.rows.map((row) => row.locked_by);
    });
    if (ids.length > 0) await utils.forceUnlockWorkers(ids);
  } finally {
    await utils.release();
  }
}

/** Starts doing jobs in this process; new ones are noticed at once (LISTEN/NOTIFY). `stop` closes every connection. */
export async function startJobs({
  databaseUrl,
  tasks,
  log,
  concurrency = 4,
  schedule = {},
}: StartJobsOptions): Promise<{ stop(): Promise<void> }> {
  // Two more than the jobs: one connection listens, one takes and gives back jobs.
  const pgPool = openPool(databaseUrl, concurrency + 2, log);
  await releaseAbandoned(pgPool, log);
  const runner = await run({
    pgPool,
    concurrency,
    parsedCronItems: parseCronItems(
      Object.entries(schedule).map(([task, match]) => ({ task, match, identifier: task })),
    ),
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: stopTimeoutMs,
    logger: jobLogger(log),
    taskList: Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        (payload: unknown, helpers) =>
          task(payload, {
            log: log.child({ task: name, jobId: helpers.job.id }),
            attempt: helpers.job.attempts,
            maxAttempts: helpers.job.max_attempts,
            signal: helpers.abortSignal,
          }),
      ]),
    ),
  });
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'the job runner ended'));
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= Promise.race([
        runner
          .stop()
          .catch((error: unknown) => log.warn({ err: error }, 'jobs were cut off'))
          .then(() => pgPool.end()),
        // A task that ignores its signal does not hold up the server; its job is given back at the next start.
        delay(stopTimeoutMs + 1000, undefined, { ref: false }),
      ]);
      return stopped;
    },
  };
}
