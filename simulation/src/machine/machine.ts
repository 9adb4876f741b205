import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '@tara/proof/random';
import type { Backend } from '../postgres/backend.ts';

/** Something that can happen next. */
export interface Step {
  /** How the trace names it. */
  name: string;
  /** The process in which it happens, if it is one that can die. */
  life?: Mortal | undefined;
  perform(): Promise<void> | void;
}

/** A process that can die. */
export interface Mortal {
  readonly isDead: boolean;
}

interface Timer {
  at: number;
  name: string;
  run: () => void;
  /** Whose it is, if it ends with a process. */
  life: Mortal | undefined;
}

/** A statement that waits for a lock of another connection. */
interface Blocked {
  backend: Backend;
  name: string;
  outcome: { goOn: () => void } | null;
}

/** Turns of the loop of events without anything new after which nothing is under way in this process. */
const quietTurns = 3;
/** ms in which a statement must end that waits for no lock. */
const hangingMs = 30_000;

interface MachineOptions {
  seed: number;
  startMs: number;
  /** A connection of its own that asks who waits for whom. */
  monitor: Backend;
  /**
   * Ids of the connections for which a statement can wait until the machine lets something else happen. For those of others it
   * waits a moment: Postgres has locks of all databases, such as that of a commit with a notification.
   */
  pids: readonly number[];
}

const doers = new AsyncLocalStorage<string>();

/** Does something for whom the trace names, such as a job. */
export const runFor = <Result>(doer: string, work: () => Result): Result => doers.run(doer, work);

/** For whom what runs now is done. */
export const currentDoer = () => doers.getStore() ?? 'the product';

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Resolves when this is done. @throws Error so many ms later */
const doneWithin = (ms: number, done: Promise<void>, late: string) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(late)), ms);
    done.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** Resolves in the next turn of the loop of events: that of `node:timers/promises` can be aborted, and takes longer. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** ms that pass with each step. */
const stepMs = 1;

/**
 * Lets everything of one process happen one after the other: each statement, call, answer, job and timer waits until it is
 * chosen, and is brought to its end before the next. Which is chosen follows from the seed alone.
 */
export class Machine {
  nowMs: number;
  readonly random: Random;
  steps = 0;
  /** Further things that can happen now. */
  source: () => Step[] = () => [];
  /** Called before each choice. */
  refresh: () => Promise<void> = async () => {};
  readonly #monitor: Backend;
  readonly #pids: string;
  readonly #notes: { at: number; line: string }[] = [];
  #offers: Step[] = [];
  #timers: Timer[] = [];
  #blocked: Blocked[] = [];
  /** The connections of those that may not go on yet, in the order in which they began to wait. */
  #held: Backend[] = [];
  /** Whether locks were given back for which statements may have waited. */
  #hasGivenBack = false;
  /** Counts what is new, and what is under way outside of this process. */
  #events = 0;
  #underWay = 0;

  constructor({ seed, startMs, monitor, pids }: MachineOptions) {
    this.random = new Random(seed);
    this.nowMs = startMs;
    this.#monitor = monitor;
    this.#pids = pids.join(',');
  }

  note(line: string): void {
    this.#notes.push({ at: this.nowMs, line });
  }

  /** Everything that happened, with its times: few ask for it. */
  get trace(): string[] {
    return this.#notes.map(({ at, line }) => `${new Date(at).toISOString()} ${line}`);
  }

  /** Adds something that can happen next. */
  offer(step: Step): void {
    this.#events += 1;
    this.#offers.push(step);
  }

  /** Resolves once the machine chooses it; never when it is of a process that dies before. */
  chosen(name: string, life?: Mortal): Promise<void> {
    return new Promise((resolve) => this.offer({ name, life, perform: resolve }));
  }

  /** The machine goes on when this is done: it is under way outside of this process. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    this.#events += 1;
    try {
      return await work;
    } finally {
      this.#underWay -= 1;
      this.#events += 1;
    }
  }

  /** Calls `run` at a time, unless its process is dead by then. @returns what cancels it */
  after(ms: number, name: string, run: () => void, life?: Mortal): () => void {
    const timer = { at: this.nowMs + Math.max(0, ms), name, run, life };
    this.#events += 1;
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** When the next timer is due; null without one. */
  nextTimerMs(): number | null {
    return this.#timers.length === 0 ? null : Math.min(...this.#timers.map(({ at }) => at));
  }

  /** The names of what waits to happen in processes that can die. */
  waitingNames(): string[] {
    return [...this.#offers, ...this.source()].map(({ name }) => name);
  }

  /** Forgets what waits to happen in a process that is dead. */
  dropDead(): void {
    this.#offers = this.#offers.filter(({ life }) => !life?.isDead);
    this.#timers = this.#timers.filter(({ life }) => !life?.isDead);
  }

  /** Waits until everything that runs in this process waits for the machine. */
  async quiesce(): Promise<void> {
    let seen = -1;
    for (let quiet = 0; quiet < quietTurns; ) {
      await nextTurn();
      if (this.#events === seen && this.#underWay === 0) quiet += 1;
      else quiet = 0;
      seen = this.#events;
    }
  }

  /** What can happen now. */
  #choices(): Step[] {
    const more = this.source();
    const due = this.#timers
      .filter(({ at }) => at <= this.nowMs)
      .map(
        (timer): Step => ({
          name: timer.name,
          perform: () => {
            this.#timers = this.#timers.filter((other) => other !== timer);
            timer.run();
          },
        }),
      );
    // Statements that wait no longer come when the database says so: the order is that of the names.
    return [...this.#offers, ...more, ...due].sort(({ name }, { name: other }) => compare(name, other));
  }

  /** Lets things happen in the order of their names until this is done: the begin of a process. */
  async runAll<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    for (;;) {
      await this.quiesce();
      if (isDone) return done;
      const [step] = [...this.#offers].sort(({ name }, { name: other }) => compare(name, other));
      this.#offers = this.#offers.filter((other) => other !== step);
      if (step) await step.perform();
      else await nextTurn();
    }
  }

  /** Lets one thing happen. @returns whether there was one */
  async step(): Promise<boolean> {
    await this.quiesce();
    await this.refresh();
    const choices = this.#choices();
    if (choices.length === 0) return this.#blocked.length > 0 && (await this.#settleBlocked(true));
    const index = choices.length === 1 ? 0 : this.random.int(0, choices.length - 1);
    const step = choices[index];
    if (!step) return false;
    this.#offers = this.#offers.filter((other) => other !== step);
    this.steps += 1;
    this.nowMs += stepMs;
    this.note(step.name);
    this.#holdBlocked();
    await step.perform();
    await this.#settleBlocked(false);
    this.#letGoOn();
    return true;
  }

  /** Waits for the answer to a statement, or until it waits for a lock: its answer is another step then. */
  async awaitBackend(backend: Backend, exchange: Promise<() => void>, name: string): Promise<void> {
    const blocked: Blocked = { backend, name, outcome: null };
    const answered = exchange.then((goOn) => {
      blocked.outcome = { goOn };
    });
    if (await this.#isAnswered(blocked, answered)) return blocked.outcome?.goOn();
    this.note(`${name.replace(/ goes on$/, '')} waits for a lock`);
    this.#blocked.push(blocked);
  }

  /** Whether a statement is answered; it waits for a lock else. */
  async #isAnswered(blocked: Blocked, answered: Promise<void>): Promise<boolean> {
    const { backend } = blocked;
    const waits = new Promise<void>((resolve) => {
      backend.onWait = resolve;
    });
    const late = 'A statement does not end, and waits for no lock.';
    await doneWithin(hangingMs, Promise.race([answered, waits]), late);
    if (backend.hasGivenBack) this.#hasGivenBack = true;
    return blocked.outcome !== null;
  }

  /** Of several that one commit lets go on it is not for the scheduler of the operating system to say which comes first. */
  #holdBlocked(): void {
    if (this.#blocked.length < 2) return;
    for (const { backend } of this.#blocked) backend.hold();
    this.#held = this.#blocked.map(({ backend }) => backend);
  }

  /** Lets those go on that are held still, or the one that is named. */
  #letGoOn(only?: Backend): void {
    for (const backend of this.#held) if (only === undefined || backend === only) backend.goOn();
    this.#held = only === undefined ? [] : this.#held.filter((backend) => backend !== only);
  }

  async #isWaiting({ pid }: Backend): Promise<boolean> {
    const rows = await this.#monitor.run(`select pg_blocking_pids(${pid}) && '{${this.#pids}}'`);
    return rows[0]?.[0] === 't';
  }

  /**
   * Offers the answers of statements that wait no longer, of those that wait for locks that the last step gave back, and for those
   * of each other. @param mustEnd whether there has to be one @returns whether there is one
   */
  async #settleBlocked(mustEnd: boolean): Promise<boolean> {
    const until = performance.now() + hangingMs;
    while (this.#blocked.length > 0) {
      if (!this.#hasGivenBack) {
        if (!mustEnd || this.#offers.length > 0) break;
        if (performance.now() > until) throw new Error('Every statement waits for another.');
        await delay(1);
      }
      this.#hasGivenBack = false;
      for (const blocked of this.#blocked) {
        this.#letGoOn(blocked.backend);
        while (blocked.outcome === null && !(await this.#isWaiting(blocked.backend))) await delay(1);
        const { outcome, name } = blocked;
        if (outcome === null) continue;
        this.#blocked = this.#blocked.filter((other) => other !== blocked);
        this.offer({ name, perform: outcome.goOn });
        this.#hasGivenBack = true;
      }
    }
    this.#hasGivenBack = false;
    return this.#offers.length > 0;
  }

  /** Whether connections have statements that wait for locks; those are forgotten. */
  takeBlocked(): Backend[] {
    const backends = this.#blocked.map(({ backend }) => backend);
    this.#blocked = [];
    return backends;
  }
}
