import { Logger } from 'graphile-worker';
import pg from 'pg';
import { connectionOptions } from '../database/address.ts';
import type { Log } from '../log.ts';
import { safeMessage } from '../log-errors.ts';
import { deadAfterMs } from '../nodes/join.ts';
import { endless } from './task.ts';

/**
 * Options of the queue. Without a delay it notes the end of a job by a promise that it does not await, which would end the
 * process when the database is lost; poolers that share connections do not know prepared statements.
 */
export const queuePreset: GraphileConfig.Preset = {
  worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, preparedStatements: false },
};

/** The job queue's own messages in our log. Its 'info' is one line per job, which is 'debug' to us. */
export function jobLogger(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;
  return new Logger((scope) => (level, message, meta) => {
    const error: unknown = meta?.error;
    // The queue writes the error's message into its own, with the parameters of a failed statement.
    const text =
      error instanceof Error ? message.replaceAll(error.message, () => safeMessage(error)) : message;
    log[levels[level]]({ ...scope, err: error }, text);
  });
}

/**
 * A pool that takes a connection back once, however often it is given back. The queue gives the one that listens back
 * twice when it is lost before LISTEN was answered while the queue stops: the second time would throw in a promise that
 * nobody awaits, which ends the process.
 */
class QueuePool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnect): void;
  override connect(callback?: OnConnect): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return super.connect();
    super.connect((error, client, release) => {
      if (client === undefined) return callback(error, client, release);
      let isReleased = false;
      callback(error, client, (reason) => {
        if (isReleased) return;
        isReleased = true;
        release(reason);
      });
    });
    return undefined;
  }
}

type OnConnect = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (reason?: unknown) => void,
) => void;

/**
 * Opens the job queue's connections. The queue's own pool is not awaited when it ends and loses its error handlers
 * before that, so a database that is dropped meanwhile would end the process; this one listens until it is closed.
 */
export function openPool(databaseUrl: string, size: number, log: Log): pg.Pool {
  const pool = new QueuePool({
    ...connectionOptions(databaseUrl),
    max: size,
    // A network that goes silent is noticed.
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
  });
  const logError = (error: Error) => log.warn({ err: error }, 'a connection of the job queue was lost');
  pool.on('error', logError);
  pool.on('connect', (client) => void client.on('error', logError));
  return pool;
}

/** Whether a job was replaced by another of its key while it ran: nothing is left to do of it. $1: the tasks with keys. */
export const isReplaced = `(key is null and task_id in (
  select id from graphile_worker._private_tasks where identifier = any($1::text[])))`;

/** The `last_error` of a job whose server ended, or lost the queue, while it ran. */
const cutOffReason = 'It was cut off.';

/**
 * What gives a job another try, also after its last one. The second time in a row it waits as long as after a failure, for the
 * job itself may be what ends the server. $3: `cutOffReason`.
 */
const anotherTry = `max_attempts = greatest(max_attempts, least(attempts + 1, 32767)),
  run_at = case when last_error = $3 then now() + exp(least(attempts, 10)) * interval '1 second' else now() end,
  last_error = $3`;

/** Gives another try to jobs that were cut off here. */
export async function retryCutOff(pgPool: pg.Pool, jobs: string[], keyedTasks: readonly string[]) {
  if (jobs.length === 0) return;
  await pgPool.query(
    `update graphile_worker._private_jobs set ${anotherTry} where id = any($2::bigint[]) and not ${isReplaced}`,
    [keyedTasks, jobs, cutOffReason],
  );
}

/** The pools that hold a job or a queue, and that no node of the list has. */
async function selectDeadPools(pgPool: pg.Pool): Promise<string[]> {
  const { rows } = await pgPool.query<{ locked_by: string }>(
    `select locked_by from graphile_worker._private_jobs
     where locked_by is not null and not exists (select from nodes where pool_id = locked_by)
     union select locked_by from graphile_worker._private_job_queues
     where locked_by is not null and not exists (select from nodes where pool_id = locked_by)`,
  );
  return rows.map((row) => row.locked_by);
}

/**
 * Gives back the jobs of dead nodes and of lost runners, each with another try and under another id: a node that was only
 * paused, and goes on, notes the end of its job by the id, which is nobody's then.
 * @returns how many jobs
 */
export async function giveBackJobs(pgPool: pg.Pool, keyedTasks: readonly string[]): Promise<number> {
  // In a statement of its own: a job that another node gave back and a living one took meanwhile has none of these pools.
  const pools = await selectDeadPools(pgPool);
  if (pools.length === 0) return 0;
  const unlock = 'id = default, locked_by = null, locked_at = null';
  const again = await pgPool.query(
    `update graphile_worker._private_jobs set ${unlock}, ${anotherTry}
     where locked_by = any($2::text[]) and not ${isReplaced}`,
    [keyedTasks, pools, cutOffReason],
  );
  const replaced = await pgPool.query(
    `update graphile_worker._private_jobs set ${unlock} where locked_by = any($1::text[])`,
    [pools],
  );
  await pgPool.query(
    `update graphile_worker._private_job_queues set locked_by = null, locked_at = null
     where locked_by = any($1::text[])`,
    [pools],
  );
  return (again.rowCount ?? 0) + (replaced.rowCount ?? 0);
}

/**
 * Removes the nodes that have been silent for too long from the list, and queues a job of the task `repair` that mends what
 * they left undone beside jobs: in one statement, so that it comes for each of them. @returns whether there was one
 */
export async function removeDeadNodes(pgPool: pg.Pool, repair?: string): Promise<boolean> {
  const { rows } = await pgPool.query<{ id: string }>(
    `with dead as (
       delete from nodes where seen_at < now() - $1 * interval '1 millisecond' returning id, seen_at)
     select id, case when $2::text is not null then (
       select jobs.id from graphile_worker.add_job($2, json_build_object('lastNotedAt', seen_at), max_attempts => $3) as jobs)
     end as job from dead`,
    [deadAfterMs, repair ?? null, endless],
  );
  return rows.length > 0;
}

/** Lets a job that runs, and is about to fail, wait at least until then: the queue adds its pause to that. */
export async function postponeJob(pgPool: pg.Pool, jobId: string, until: Date): Promise<void> {
  await pgPool.query(
    'update graphile_worker._private_jobs set run_at = greatest(run_at, $2::timestamptz) where id = $1::bigint',
    [jobId, until.toISOString()],
  );
}
