import type { Task } from '@tara/server/platform/jobs/task';
import { RetryLater } from '@tara/server/platform/jobs/task';
import type { Log } from '@tara/server/platform/log';
import { errorReason } from '@tara/server/platform/log-errors';
import { type Machine, runFor, type Step } from '../machine/machine.ts';
import type { Backend } from '../postgres/backend.ts';
import { setTime } from '../postgres/line.ts';

export interface Job {
  id: string;
  task: string;
  payload: unknown;
  attempts: number;
  maxAttempts: number;
}

interface JobsOptions {
  machine: Machine;
  /** A connection of its own. */
  queue: Backend;
  handlers: Record<string, Task>;
  log: Log;
}

/** Jobs at once, as in the product. */
const concurrency = 3;

/** The pool under which this process holds jobs. */
const pool = 'simulation';

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Those that are due and that nobody holds; of a queue one at a time. */
const dueCondition = (now: string) => `locked_at is null and attempts < max_attempts and run_at <= ${now}
  and (job_queue_id is null or not exists (select from graphile_worker._private_jobs held
    where held.job_queue_id = jobs.job_queue_id and held.locked_at is not null))`;

/** Does the jobs of the product's queue: which of those that are due comes next is the machine's choice. */
export class Jobs {
  readonly #options: JobsOptions;
  #due: { id: string; name: string }[] = [];
  #mustLook = true;
  #running = 0;
  #ended: { job: Job; error: unknown }[] = [];
  onStart: (job: Job) => void = () => {};
  onEnd: (job: Job) => void = () => {};

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** The queue may have changed. */
  note(): void {
    this.#mustLook = true;
  }

  #now() {
    return quote(new Date(this.#options.machine.nowMs).toISOString());
  }

  /** Looks for jobs that are due, if there may be new ones. */
  async refresh(): Promise<void> {
    const { queue } = this.#options;
    if (!this.#mustLook || queue.isBusy) return;
    this.#mustLook = false;
    const rows = await queue.run(`select jobs.id, identifier from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = task_id
      where ${dueCondition(this.#now())} order by jobs.priority, run_at, jobs.id limit 20`);
    this.#due = rows.map(([id = '', name]) => ({ id: id ?? '', name: name ?? '' }));
  }

  /** When the next job that waits for its time is due, ms; null without one. */
  async nextMs(): Promise<number | null> {
    const [[time] = []] = await this.#options.queue.run(`
      select extract(epoch from min(run_at)) * 1000 from graphile_worker._private_jobs
      where locked_at is null and attempts < max_attempts and run_at > ${this.#now()}`);
    return time == null ? null : Math.ceil(Number(time));
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#ended.length === 0 && this.#due.length === 0;
  }

  /** What can happen next. */
  steps(): Step[] {
    const { queue } = this.#options;
    if (queue.isBusy) return [];
    const ends = this.#ended.map(
      (end): Step => ({
        kind: 'job',
        name: `the end of job ${end.job.id} ${end.job.task} is noted`,
        perform: () => this.#noteEnd(end),
      }),
    );
    if (this.#running >= concurrency) return ends;
    const begins = this.#due.map(
      ({ id, name }): Step => ({
        kind: 'job',
        name: `job ${id} ${name} begins`,
        perform: () => this.#begin(id),
      }),
    );
    return [...ends, ...begins];
  }

  async #send(text: string, then: (rows: (string | null)[][]) => void): Promise<void> {
    const { machine, queue } = this.#options;
    const exchange = queue.run(`${setTime(machine.nowMs)}; ${text}`).then((rows) => () => {
      this.note();
      then(rows);
    });
    await machine.awaitBackend(queue, exchange, 'queue goes on');
  }

  #begin(id: string): Promise<void> {
    this.#due = this.#due.filter((other) => other.id !== id);
    const text = `update graphile_worker._private_jobs jobs
      set attempts = attempts + 1, locked_by = '${pool}', locked_at = now()
      from graphile_worker._private_tasks tasks
      where tasks.id = task_id and jobs.id = (select jobs.id from graphile_worker._private_jobs jobs
        where jobs.id = ${id} and ${dueCondition(this.#now())} for update skip locked)
      returning jobs.id, identifier, payload, attempts, max_attempts`;
    return this.#send(text, ([row]) => {
      if (!row) return;
      const [jobId, task, payload, attempts, maxAttempts] = row;
      this.#run({
        ...{ id: jobId ?? '', task: task ?? '', payload: JSON.parse(payload ?? 'null') },
        ...{ attempts: Number(attempts), maxAttempts: Number(maxAttempts) },
      });
    });
  }

  #run(job: Job): void {
    const { handlers, log } = this.#options;
    const handler = handlers[job.task];
    if (!handler) throw new Error(`Nothing does jobs of ${job.task}.`);
    this.#running += 1;
    this.onStart(job);
    const { attempts: attempt, maxAttempts } = job;
    const end = (error: unknown) => {
      this.#running -= 1;
      this.onEnd(job);
      this.#ended.push({ job, error });
    };
    const helpers = { log, attempt, maxAttempts, signal: new AbortController().signal };
    runFor(`job ${job.id}`, () => handler(job.payload, helpers)).then(
      () => end(null),
      (error: unknown) => end(error),
    );
  }

  #noteEnd(end: { job: Job; error: unknown }): Promise<void> {
    this.#ended = this.#ended.filter((other) => other !== end);
    const { job, error } = end;
    if (error === null)
      return this.#send(`delete from graphile_worker._private_jobs where id = ${job.id}`, () => {});
    const reason = errorReason(error);
    this.#options.machine.note(`  job ${job.id} failed: ${reason.split('\n')[0]}`);
    const earliest = error instanceof RetryLater ? quote(error.until.toISOString()) : 'run_at';
    // As the queue does it.
    return this.#send(
      `update graphile_worker._private_jobs set last_error = ${quote(reason)}, locked_by = null, locked_at = null,
        run_at = greatest(now(), run_at, ${earliest}) + (exp(least(attempts, 10)) * interval '1 second')
        where id = ${job.id}`,
      () => {},
    );
  }
}
