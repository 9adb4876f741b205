import type { Task } from '@tara/server/platform/jobs/task';
import { RetryLater } from '@tara/server/platform/jobs/task';
import type { Log } from '@tara/server/platform/log';
import { errorReason } from '@tara/server/platform/log-errors';
import { type Machine, runFor, type Step } from '../machine/machine.ts';
import type { Backend, Cells } from '../postgres/backend.ts';
import { timeStatement } from '../postgres/line.ts';

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
const dueCondition = `locked_at is null and attempts < max_attempts and run_at <= simulation.now()
  and (job_queue_id is null or not exists (select from graphile_worker._private_jobs held
    where held.job_queue_id = jobs.job_queue_id and held.locked_at is not null))`;

/** What a queue's connection plans once. */
const statements = `
  prepare due_jobs as select jobs.id, identifier from graphile_worker._private_jobs jobs
    join graphile_worker._private_tasks tasks on tasks.id = task_id
    where ${dueCondition} order by jobs.priority, run_at, jobs.id limit 20;
  prepare take_job(bigint) as update graphile_worker._private_jobs jobs
    set attempts = attempts + 1, locked_by = '${pool}', locked_at = simulation.now()
    from graphile_worker._private_tasks tasks
    where tasks.id = task_id and jobs.id = (select jobs.id from graphile_worker._private_jobs jobs
      where jobs.id = $1 and ${dueCondition} for update skip locked)
    returning jobs.id, identifier, payload, attempts, max_attempts;
  prepare end_job(bigint) as delete from graphile_worker._private_jobs where id = $1;
  prepare next_job as select extract(epoch from min(run_at)) * 1000 from graphile_worker._private_jobs
    where locked_at is null and attempts < max_attempts and run_at > simulation.now()`;

/** Prepares a connection for `Jobs`. */
export async function prepareQueue(queue: Backend): Promise<void> {
  await queue.run(statements);
}

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

  /** The queue may have changed beside this: there may be new jobs, or it is later. */
  note(): void {
    this.#mustLook = true;
  }

  /** Statements at the time of the machine. */
  #now(text: string): string {
    return `${timeStatement(this.#options.machine.nowMs)}; ${text}`;
  }

  /** Looks for jobs that are due, if there may be new ones. */
  async refresh(): Promise<void> {
    const { queue } = this.#options;
    if (!this.#mustLook || queue.isBusy) return;
    this.#mustLook = false;
    this.#setDue(await queue.run(this.#now('execute due_jobs')));
  }

  #setDue(rows: Cells[]): void {
    this.#due = rows.map(([id, name]) => ({ id: id ?? '', name: name ?? '' }));
  }

  /** When the next job that waits for its time is due, ms; null without one. */
  async nextMs(): Promise<number | null> {
    const [[time] = []] = await this.#options.queue.run(this.#now('execute next_job'));
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
        name: `the end of job ${end.job.id} ${end.job.task} is noted`,
        perform: () => this.#noteEnd(end),
      }),
    );
    if (this.#running >= concurrency) return ends;
    const begins = this.#due.map(
      ({ id, name }): Step => ({
        name: `job ${id} ${name} begins`,
        perform: () => this.#begin(id),
      }),
    );
    return [...ends, ...begins];
  }

  /** Runs a statement, and looks for what is due after it. */
  async #send(text: string, then: (rows: Cells[]) => void): Promise<void> {
    const { machine, queue } = this.#options;
    this.#mustLook = false;
    const exchange = queue
      .runEach(this.#now(`${text}; execute due_jobs`))
      .then(([, rows = [], due = []]) => () => {
        this.#setDue(due);
        then(rows);
      });
    await machine.awaitBackend(queue, exchange, 'queue goes on');
  }

  #begin(id: string): Promise<void> {
    return this.#send(`execute take_job(${id})`, ([row]) => {
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
    if (error === null) return this.#send(`execute end_job(${job.id})`, () => {});
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
