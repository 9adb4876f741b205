import { sql } from 'drizzle-orm';
import type * as z from 'zod';
import type { Database, Transaction } from '../database/connect.ts';
import type { Log } from '../log.ts';
import { runAs, type Work } from '../work.ts';

/** What a task learns beside its payload. */
export interface JobHelpers {
  readonly log: Log;
  /** 1 at the first try. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Fires when the server wants to stop, the queue was lost or the time is over: leave at once, the job is done again. */
  readonly signal: AbortSignal;
}

/** The other side said when it can be asked again: the job is not tried before. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly until: Date;

  constructor(message: string, until: Date) {
    super(message);
    this.until = until;
  }
}

/** Does one kind of job. A rejection means: try again later. The payload is what was enqueued, not checked yet. */
export interface Task {
  (payload: unknown, helpers: JobHelpers): Promise<void>;
  /** Tries in all when it is scheduled, as of `EnqueueOptions`. */
  readonly maxAttempts?: number | undefined;
  /** ms that one try has; five minutes unless given. */
  readonly timeoutMs?: number;
  /** Whether its jobs have keys: one that lost its key was replaced by another while it ran. */
  readonly isKeyed?: boolean;
}

/** Tries of a job that must be done: the most that the queue can count. From the tenth on there is one every six hours. */
export const endless = 32_767;

const minuteMs = 60_000;
/** ms that one try has: of one record, and of everything that is due. What is not done then is done by the next try. */
export const timeoutsMs = { one: 5 * minuteMs, alone: 30 * minuteMs };

/**
 * Which of the jobs that are due come first: the smaller number. `awaited`: somebody looks at a screen that shows what it does,
 * such as the way to the checkout. Pushes wait for servers elsewhere that may be away, and `bulk` is due for very many members at
 * the same minute: neither may hold up a sign-in's code, or money.
 */
const priorities = { awaited: -1, usual: 0, push: 1, bulk: 2 };

interface EnqueueOptions {
  /** A job that waits under the same key is replaced by this one, so that it is done once. */
  readonly key?: string;
  /** Not before this time. */
  readonly runAt?: Date;
  /**
   * Whether a job that waits under the same key keeps its time: so it is done at most once in an interval. One that failed is
   * tried again when it would have been, or earlier.
   */
  readonly keepsTime?: boolean;
  /** Jobs of the same queue are done one after the other, on all nodes together. */
  readonly queue?: string;
  /** Tries in all, with pauses that grow up to six hours; without end unless given. */
  readonly maxAttempts?: number;
  readonly priority?: keyof typeof priorities;
}

/**
 * Puts a job into the queue inside the caller's transaction: it is done if, and only if, the transaction is committed.
 * A job may run more than once (its server can die after the work and before the note of it): tasks must bear that.
 */
export const enqueue = (
  transaction: Transaction | Database,
  name: string,
  payload: object,
  { key, ...options }: EnqueueOptions = {},
): Promise<void> => enqueueMany(transaction, name, [{ payload, key }], options);

/** A job of several, and the key under which it waits. */
interface KeyedJob {
  payload: object;
  key: string | undefined;
}

/** The same with several jobs, by one statement: of those with the same key the last. */
async function enqueueMany(
  transaction: Transaction | Database,
  name: string,
  jobs: readonly KeyedJob[],
  { runAt, keepsTime = false, queue, maxAttempts, priority = 'usual' }: Omit<EnqueueOptions, 'key'>,
): Promise<void> {
  if (jobs.length === 0) return;
  const byKey = new Map(jobs.map((job) => [job.key ?? job, job]));
  // In one order: two at once do not wait for each other.
  const sorted = [...byKey.values()].toSorted(({ key = '' }, { key: other = '' }) => (key < other ? -1 : 1));
  const specs = JSON.stringify(
    sorted.map(({ payload, key }) => ({
      ...{ identifier: name, payload, queue_name: queue, run_at: runAt?.toISOString(), job_key: key },
      ...{ max_attempts: maxAttempts ?? endless, priority: priorities[priority] },
    })),
  );
  const rows = sql`json_populate_recordset(null::graphile_worker.job_spec, ${specs}::json)`;
  // The queue itself gives jobs that failed the new time.
  const keepingTimes = sql`
    with spec as (select * from ${rows}),
    failed as (
      select key, run_at from graphile_worker._private_jobs
      where key in (select job_key from spec) and attempts > 0 and locked_at is null
      order by key for update)
    select (identifier, payload, queue_name, least(coalesce(spec.run_at, now()), failed.run_at), max_attempts, job_key,
      priority, flags)::graphile_worker.job_spec
    from spec left join failed on key = job_key order by job_key`;
  await transaction.execute(sql`select from graphile_worker.add_jobs(
    array(${keepsTime ? keepingTimes : sql`select ${rows}`}), ${keepsTime}::boolean)`);
}

interface TaskParts<Payload> {
  payload: z.ZodType<Payload>;
  /** The job's key within the task, such as the id of what it works on: while it waits it is not queued twice. */
  key?: (payload: Payload) => string;
  /**
   * Whether it works through everything that is due, such as each scheduled task: then one of it runs at a time, and
   * at most one waits, however often it was enqueued meanwhile.
   */
  alone?: boolean;
  maxAttempts?: number;
  priority?: EnqueueOptions['priority'];
  /** Minutes that one try has; 30 when it is alone, else five, unless given. */
  timeoutMinutes?: number;
  /** The class of its statements, `background` unless given: `core` for the money of one record (decision 0010). */
  work?: Work;
}

/** One kind of job: its name in the queue, what it needs to know, and when two of it are one. */
export interface TaskType<Name extends string, Payload extends object> {
  readonly name: Name;
  /** The class whose connections and time limits it has. */
  readonly work: Work;
  /** Whether one of it runs at a time, and at most one waits. */
  readonly isAlone: boolean;
  enqueue(
    transaction: Transaction | Database,
    payload: Payload,
    options?: Omit<EnqueueOptions, 'key' | 'queue'>,
  ): Promise<void>;
  /** The same with several, by one statement. */
  enqueueMany(
    transaction: Transaction | Database,
    payloads: readonly Payload[],
    options?: Omit<EnqueueOptions, 'key' | 'queue'>,
  ): Promise<void>;
  /** Whether a job under the key of this payload waits or runs. */
  isQueued(database: Database, payload: Payload): Promise<boolean>;
  /** Removes the job that waits under the key of this payload, if there is one. */
  cancel(transaction: Transaction | Database, payload: Payload): Promise<void>;
  /** Its row in the list of tasks that `startJobs` is given. A payload of another form is rejected. */
  handledBy(handle: (payload: Payload, helpers: JobHelpers) => Promise<void>): Record<Name, Task>;
}

/** The key and the queue of a task that is alone. */
export const aloneOptions = (name: string) => ({ key: name, queue: name });

/** Declares one kind of job. */
export function defineTask<Name extends string, Payload extends object>(
  name: Name,
  {
    payload: schema,
    key,
    alone = false,
    maxAttempts,
    priority,
    timeoutMinutes,
    work = 'background',
  }: TaskParts<Payload>,
): TaskType<Name, Payload> {
  const timeoutMs = timeoutMinutes ? timeoutMinutes * minuteMs : timeoutsMs[alone ? 'alone' : 'one'];
  const isKeyed = alone || key !== undefined;
  const jobKey = (payload: Payload) => (alone ? name : key && `${name}:${key(payload)}`);
  const taskOptions = { ...(alone && { queue: name }), maxAttempts, ...(priority && { priority }) };
  const enqueueAll = (
    transaction: Transaction | Database,
    payloads: readonly Payload[],
    options: Omit<EnqueueOptions, 'key' | 'queue'> = {},
  ) =>
    enqueueMany(
      transaction,
      name,
      payloads.map((payload) => ({ payload, key: jobKey(payload) })),
      { ...taskOptions, ...options },
    );
  return {
    name,
    work,
    isAlone: alone,
    enqueue: (transaction, payload, options) => enqueueAll(transaction, [payload], options),
    enqueueMany: enqueueAll,
    isQueued: async (database, payload) => {
      const rows = await database.execute(
        sql`select from graphile_worker._private_jobs where key = ${jobKey(payload) ?? null}`,
      );
      return rows.length > 0;
    },
    cancel: async (transaction, payload) => {
      await transaction.execute(sql`select from graphile_worker.remove_job(${jobKey(payload) ?? null})`);
    },
    handledBy: (handle) => {
      const run = (payload: unknown, helpers: JobHelpers) =>
        runAs(work, async () => handle(schema.parse(payload), helpers));
      const task: Task = Object.assign(run, { maxAttempts, timeoutMs, isKeyed });
      // One row, of exactly this name.
      return { [name]: task } as Record<Name, Task>;
    },
  };
}
