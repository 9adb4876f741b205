import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ParsedCronItem,
  parseCronItems,
  run,
  type WorkerEvents,
  type JobHelpers as WorkerHelpers,
} from 'graphile-worker';
import type { Pool } from 'pg';
import type { Log } from '../log.ts';
import { errorReason } from '../log-errors.ts';
import type { JoinedNode } from '../nodes/join.ts';
import { watchFailing } from './failing.ts';
import {
  giveBackJobs,
  jobLogger,
  openPool,
  postponeJob,
  queuePreset,
  removeDeadNodes,
  retryCutOff,
} from './queue.ts';
import { aloneOptions, RetryLater, type Task, timeoutsMs } from './task.ts';

interface StartJobsOptions {
  readonly databaseUrl: string;
  /** The node that does them, in the list by which others know whether it lives. */
  readonly node: Pick<JoinedNode, 'setPool' | 'onSilent'>;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly log: Log;
  /** Jobs at once on this node. */
  readonly concurrency?: number;
  /** ms that a task has to finish once the server stops; then its signal fires. */
  readonly stopTimeoutMs?: number;
  /** The task that mends what a node left undone that died, beside its jobs; none unless given. */
  readonly repair?: string;
  /** Scheduled tasks, which are alone, with their times: `minute hour day month weekday`, in UTC. */
  readonly schedule?: Readonly<Record<string, string>>;
}

/** Whether this node does jobs now: `away` while it has no database for them. */
export type JobsState = 'running' | 'away';

/** The jobs of this node. */
export interface Jobs {
  state(): JobsState;
  /** How many jobs, and records of scheduled ones, need a person: they gave up, or failed ten times. */
  failing(): number;
  /** Takes no more jobs, closes every connection; tasks have `stopTimeoutMs` to finish. */
  stop(): Promise<void>;
}

/** Time that the tasks of a lost runner have before others may do their jobs again. */
const lostTimeoutMs = 30_000;
/** Pauses before a runner is started again. */
const shortestPauseMs = 500;
const longestPauseMs = 5000;

/** ms between two looks for dead nodes. */
const lookEveryMs = 5000;
/** Looks between two that also search for jobs whose node is dead and removed, but did not give them back to the end. */
const looksPerSearch = 12;

/** Gives back the jobs of dead nodes, now and as long as it is not stopped. */
async function watchDeadNodes(pgPool: Pool, keyedTasks: readonly string[], log: Log, repair?: string) {
  const giveBack = async () => {
    const count = await giveBackJobs(pgPool, keyedTasks);
    if (count > 0) log.info({ jobs: count }, 'jobs of a node that ended are done again');
  };
  let looks = 0;
  const look = async () => {
    try {
      const isSearch = ++looks % looksPerSearch === 0;
      if ((await removeDeadNodes(pgPool, repair)) || isSearch) await giveBack();
    } catch (error) {
      log.debug({ err: error }, 'dead nodes could not be looked for');
    }
  };
  await removeDeadNodes(pgPool, repair);
  await giveBack();
  const timer = setInterval(look, lookEveryMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** A plugin of the queue's library that does something before the first job is taken. */
const beforeFirstJob = (prepare: (poolId: string) => Promise<void>): GraphileConfig.Plugin => {
  let prepared: Promise<void> | undefined;
  return {
    name: 'before-first-job',
    version: '1.0.0',
    worker: {
      hooks: { startWorker: (_context, { worker }) => (prepared ??= prepare(worker.workerPool.id)) },
    },
  };
};

/** One runner of the queue, with connections of its own. */
interface JobRunner {
  /** Resolves when it cannot take or give back jobs any more, with the reason. */
  lost: Promise<string>;
  failing(): number;
  /** Lets tasks finish, notes it, and ends the connections. */
  stop(): Promise<void>;
  /** Ends a lost one, which cannot note anything; resolves when its tasks have ended. */
  abandon(): Promise<void>;
}

interface RunnerOptions extends Required<Omit<StartJobsOptions, 'schedule' | 'repair'>> {
  readonly repair?: string;
  readonly cronItems: ParsedCronItem[];
}

/** A task failed, for a reason that can be stored with its job. */
class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
}

/**
 * Does a task. The queue stores the message of whatever is thrown: of one that Postgres cannot store, or that cannot be
 * read, it could not note the end of the job, and would end every other one with it.
 * @throws TaskFailed
 */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new TaskFailed(errorReason(error), { cause: error });
  }
}

/** The time of a task is over. */
class TaskTimedOut extends Error {
  override readonly name = 'TaskTimedOut';
}

/**
 * Does a task until its signal fires for its time. One that goes on all the same holds its place no longer.
 * @throws TaskTimedOut
 */
async function doInTime(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = new AbortController();
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new TaskTimedOut(`It took longer than ${timeoutMs / 1000} s.`);
    limit.abort(error);
    over.reject(error);
  }, timeoutMs);
  try {
    await Promise.race([work(AbortSignal.any([signal, limit.signal])), over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function startRunner({
  databaseUrl,
  node,
  tasks,
  log,
  concurrency,
  stopTimeoutMs,
  cronItems,
  repair,
}: RunnerOptions): Promise<JobRunner> {
  // One connection listens, the others take and give back jobs; what jobs do is done on connections of their own.
  const pgPool = openPool(databaseUrl, Math.max(concurrency, 2), log);
  const keyedTasks = Object.keys(tasks).filter((name) => tasks[name]?.isKeyed);
  const events: WorkerEvents = new EventEmitter();
  const working = new Set<Promise<void>>();
  const cutOff = new Set<string>();
  const abandoned = new AbortController();
  const work = (name: string, task: Task) => (payload: unknown, helpers: WorkerHelpers) => {
    const { job, abortSignal } = helpers;
    const signal = AbortSignal.any([abortSignal, abandoned.signal]);
    const done = attempt(() =>
      doInTime(task.timeoutMs ?? timeoutsMs.one, signal, (taskSignal) =>
        task(payload, {
          log: log.child({ task: name, jobId: job.id }),
          attempt: job.attempts,
          maxAttempts: job.max_attempts,
          signal: taskSignal,
        }).catch(async (error: unknown) => {
          if (error instanceof RetryLater) await postponeJob(pgPool, job.id, error.until);
          throw error;
        }),
      ),
    );
    // One that was cut off has not failed.
    const noted = done.then(
      () => cutOff.delete(job.id),
      () => signal.aborted || cutOff.delete(job.id),
    );
    cutOff.add(job.id);
    working.add(done);
    void noted.finally(() => working.delete(done));
    return done;
  };
  const ends: (() => void)[] = [];
  const endWatches = () => {
    for (const end of ends.splice(0)) end();
  };
  try {
    // What a runner of before holds is given back, too.
    await node.setPool(null);
    const deadNodes = await watchDeadNodes(pgPool, keyedTasks, log, repair);
    ends.push(deadNodes.stop);
    const lost = new Promise<string>((resolve) => {
      ends.push(node.onSilent(() => resolve('this node was silent for too long')));
      // It ends itself after it could not note the end of a job. A job that it could not take may be taken all the same.
      events.once('pool:gracefulShutdown', ({ message }) => resolve(message));
      events.once('worker:getJob:error', () => resolve('a job could not be taken'));
    });
    const runner = await run({
      pgPool,
      events,
      concurrency,
      parsedCronItems: cronItems,
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: stopTimeoutMs,
      preset: { ...queuePreset, plugins: [beforeFirstJob(node.setPool)] },
      logger: jobLogger(log),
      taskList: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, work(name, task)])),
    });
    const failing = watchFailing({ pgPool, keyedTasks, log });
    ends.push(failing.stop);
    const logCutOff = (error: unknown) => log.debug({ err: error }, 'jobs were cut off');
    const stop = () => runner.stop().catch(logCutOff);
    return {
      lost,
      failing: failing.count,
      stop: async () => {
        endWatches();
        await stop();
        await retryCutOff(pgPool, [...cutOff], keyedTasks).catch(logCutOff);
        await pgPool.end();
      },
      abandon: async () => {
        endWatches();
        abandoned.abort();
        // Not awaited: without the database it may wait for ever.
        void stop();
        await Promise.allSettled(working);
        void pgPool.end();
      },
    };
  } catch (error) {
    endWatches();
    await pgPool.end();
    throw error;
  }
}

/** Resolves with the promise or after so many ms, without holding up the end of the process. */
const atMost = (ms: number, promise: Promise<unknown>) =>
  Promise.race([promise, delay(ms, undefined, { ref: false })]).then(() => {});

/**
 * Starts doing jobs in this process; new ones are noticed at once (LISTEN/NOTIFY). A runner that lost the database is
 * replaced when it is back, however long that takes, and its jobs are done again.
 */
export async function startJobs(options: StartJobsOptions): Promise<Jobs> {
  const { concurrency = 3, stopTimeoutMs = 3000, schedule = {}, tasks, log } = options;
  const cronItems = parseCronItems(
    Object.entries(schedule).map(([task, match]) => {
      const { key, queue } = aloneOptions(task);
      const maxAttempts = tasks[task]?.maxAttempts;
      return { task, match, identifier: task, options: { jobKey: key, queueName: queue, maxAttempts } };
    }),
  );
  const start = () => startRunner({ ...options, concurrency, stopTimeoutMs, cronItems });
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = once(signal, 'abort').then(() => null);
  let current: JobRunner | null = await start();

  /** Starts a runner after a pause, and again after longer ones until it does; null when the server stops. */
  async function restart(): Promise<JobRunner | null> {
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await Promise.race([delay(pauseMs), stopped]);
      if (signal.aborted) return null;
      try {
        return await start();
      } catch (error) {
        log.warn({ err: error }, 'jobs are not done: the queue cannot be reached');
      }
    }
  }

  async function supervise(): Promise<void> {
    for (let runner = current; runner !== null; runner = current) {
      const reason = await Promise.race([runner.lost, stopped]);
      if (reason === null) return;
      current = null;
      log.warn({ reason }, 'jobs are not done: the queue was lost');
      await atMost(lostTimeoutMs, runner.abandon());
      current = await restart();
      if (current !== null) log.info('jobs are done again');
    }
  }
  const supervision = supervise();

  async function stop(): Promise<void> {
    stopping.abort();
    await supervision;
    await current?.stop();
  }
  let ending: Promise<void> | undefined;
  return {
    state: () => (current === null ? 'away' : 'running'),
    failing: () => current?.failing() ?? 0,
    // A task that ignores its signal does not hold up the server; its job is given back when this node has left the list.
    stop: () => (ending ??= atMost(stopTimeoutMs + 1000, stop())),
  };
}
