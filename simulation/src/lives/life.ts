import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Call } from '@tara/contract/calls';
import { giveBackJobs } from '@tara/server/platform/jobs/queue';
import type { Member } from '@tara/server/testing/features/members';
import type { TestPlatform } from '@tara/server/testing/platform';
import type { Answered } from '@tara/server/testing/server';
import { currentDoer, Machine, type Mortal } from '../machine/machine.ts';
import type { Coverage } from './coverage.ts';
import { crashPoint } from './crash-points.ts';
import type { Job } from './jobs.ts';
import { Product, type Served } from './product.ts';
import { type Act, type AnyDeed, describeAct, isTamper, type Script, type Tamper } from './script.ts';
import { setTime, startMs, tamper, useSeed, type World } from './world.ts';

/** An invariant that does not hold. */
export interface Finding<Invariant extends string = string> {
  invariant: Invariant;
  text: string;
}

export interface Outcome {
  readonly trace: string[];
  /** What broke an invariant; those that are known let the life go on. */
  findings: Finding[];
  steps: number;
}

export interface LifeOptions<W extends World, S extends Script> {
  world: W;
  seed: number;
  script: S;
  coverage: Coverage;
  /** Whether a life goes on after a finding. */
  goesOn: (finding: Finding) => boolean;
}

/** Steps after which a life counts as one that does not end. */
const mostSteps = 30_000;
/** Events that one jump of the time stops at. */
const mostStops = 40;

/** What a life of any subject can break. */
export const commonInvariants = ['a life ends', 'a call is answered', 'the machine goes on'] as const;
export type CommonInvariant = (typeof commonInvariants)[number];

/** A finding that is not known ends the life. */
class LifeEnded extends Error {}

/** Lives a life from its first deed until everything is over. @param make the life, on a machine of its own */
export async function live<W extends World, S extends Script>(
  { world, seed }: LifeOptions<W, S>,
  make: (machine: Machine) => Life<W, S, string>,
): Promise<Outcome> {
  const pids = [...world.backends, world.queue].map(({ pid }) => pid);
  const machine = new Machine({ seed, startMs, monitor: world.monitor, pids });
  const life = make(machine);
  const undo = useSeed(seed, { nowMs: () => machine.nowMs, after: life.after });
  try {
    await life.run();
  } catch (error) {
    if (!(error instanceof LifeEnded)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      life.findings.push({ invariant: 'the machine goes on' satisfies CommonInvariant, text });
    }
  } finally {
    await life.stop();
    undo();
  }
  return {
    get trace() {
      return machine.trace;
    },
    ...{ findings: life.findings, steps: machine.steps },
  };
}

/**
 * What all lives have in common: one process of the product at a time, whose statements, calls and jobs the machine steps, deeds
 * that begin one after the other, crashes, and checks after each commit and whenever nothing is under way.
 */
export abstract class Life<W extends World, S extends Script, Invariant extends string> {
  readonly findings: Finding[] = [];
  readonly machine: Machine;
  readonly #options: LifeOptions<W, S>;
  #product: Product | undefined;
  #begun = Promise.withResolvers<Product>();
  /** The process that lives now. */
  #process = { isDead: false };
  /** Whether there were commits since the last look at what is stored. */
  #mustCheck = false;
  /** Calls and other things of people that are not done. */
  protected acting = 0;

  constructor(options: LifeOptions<W, S>, machine: Machine) {
    this.#options = options;
    this.machine = machine;
  }

  get world(): W {
    return this.#options.world;
  }
  get script(): S {
    return this.#options.script;
  }
  get coverage(): Coverage {
    return this.#options.coverage;
  }
  get product(): Product {
    if (!this.#product) throw new Error('the product has not begun');
    return this.#product;
  }
  /** The product, once there is one that lives. */
  whenLiving(): Promise<Product> {
    return this.#begun.promise;
  }
  /** The product, where it has begun and is not dead. */
  get living(): Product | null {
    return this.#product && !this.#product.isDead ? this.#product : null;
  }

  /** Begins what is beside the product. */
  protected async prepare(): Promise<void> {}
  /** Binds what is simulated of the product. */
  protected abstract serve(platform: TestPlatform, life: Mortal): Promise<Served>;
  /** Asks for what the product does again and again. */
  protected abstract enqueueRounds(): Promise<void>;
  protected abstract begin(deed: AnyDeed): Promise<void>;
  /** Brings everything to its end, as people and time do. */
  protected abstract finish(): Promise<void>;
  /** Whether a statement that writes may change what `checkStored` looks at. */
  protected abstract isChecked(text: string): boolean;
  /** What must hold after each commit. */
  protected abstract checkStored(): Promise<Finding<Invariant>[]>;
  /** What must hold when nothing is under way. */
  protected abstract checkQuiet(): Promise<Finding<Invariant>[]>;
  /** What was found beside the checks since the last look. */
  protected takeFindings(): Finding<Invariant>[] {
    return [];
  }
  protected onJobStart(_job: Job): void {}
  protected onJobEnd(_job: Job): void {}
  /** The process has ended: what people had of it is gone. */
  protected onCrash(): void {}
  /** Ends what is beside the product. */
  protected async end(): Promise<void> {}

  /** The waits of the product, as of its clock. */
  readonly after = (ms: number, run: () => void): (() => void) =>
    this.machine.after(ms, `${currentDoer()}: a wait is over`, AsyncLocalStorage.bind(run), this.#process);

  async run(): Promise<void> {
    const { world, seed, script } = this.#options;
    const { machine } = this;
    await world.snapshot.restore();
    const leftOut = script.tells ? [] : world.tellingTasks;
    for (const backend of [...world.backends, world.queue])
      await backend.run(`set simulation.seed = '${seed}'; set simulation.left_out = '{${leftOut}}'`);
    await setTime(world, machine.nowMs);
    await this.prepare();
    await this.#startProduct();
    for (const act of script.acts) await this.#act(act);
    await this.finish();
  }

  async stop(): Promise<void> {
    this.#product?.die();
    this.onCrash();
    await this.#endStatements();
    await this.end();
  }

  async #startProduct(): Promise<void> {
    const { world, script } = this.#options;
    const { machine } = this;
    this.#process = { isDead: false };
    const product = await Product.start({
      ...{ machine, life: this.#process, environment: script.environment },
      ...{ url: world.url, backends: world.backends, queue: world.queue, statements: world.statements },
      serve: (platform, life) => this.serve(platform, life),
      onCommit: (texts) => this.#noteCommit(texts),
      onError: ({ msg, err }) => machine.note(`  log: ${msg}${reasonIn(err)}`),
    });
    product.jobs.onStart = (job) => {
      this.coverage.count('job', job.task);
      this.onJobStart(job);
    };
    product.jobs.onEnd = (job) => this.onJobEnd(job);
    this.#product = product;
    this.#begun.resolve(product);
    machine.source = () => product.jobs.steps();
    machine.refresh = () => product.jobs.refresh();
  }

  async #beginRounds(): Promise<void> {
    await setTime(this.world, this.machine.nowMs);
    await this.enqueueRounds();
    this.product.jobs.note();
  }

  #noteCommit(texts: readonly string[]): void {
    if (texts.some((text) => text.includes('graphile_worker'))) this.#product?.jobs.note();
    if (texts.some((text) => isWrite.test(text) && this.isChecked(text))) this.#mustCheck = true;
  }

  async #act(act: Act): Promise<void> {
    const { machine } = this;
    machine.note(`> ${describeAct(act)}`);
    if (isTamper(act.deed)) await this.#tamper(act.deed);
    else await this.begin(act.deed);
    if (act.steps === null) {
      await this.idle();
      await this.lookQuiet();
    } else for (let count = 0; count < act.steps; count++) if (!(await this.#step())) break;
  }

  async #tamper({ statement }: Tamper): Promise<void> {
    await tamper(this.world, statement);
    await this.lookAtStored();
  }

  /** Counts a deed, once it did something. */
  protected countDeed(name: string): void {
    this.coverage.count('deed', name);
  }

  async #step(): Promise<boolean> {
    const { machine } = this;
    if (machine.steps > mostSteps) this.find({ invariant: 'a life ends', text: `after ${mostSteps} steps` });
    const happened = await machine.step();
    for (const finding of this.takeFindings()) this.find(finding);
    if (this.#mustCheck) await this.lookAtStored();
    return happened;
  }

  protected async lookAtStored(): Promise<void> {
    this.#mustCheck = false;
    for (const finding of await this.checkStored()) this.find(finding);
  }

  /** Lets everything happen that is due. */
  protected async idle(): Promise<void> {
    while (await this.#step());
    if (this.acting > 0) this.find({ invariant: 'a call is answered', text: `${this.acting} are not` });
  }

  protected async lookQuiet(): Promise<void> {
    await setTime(this.world, this.machine.nowMs);
    for (const finding of await this.checkQuiet()) this.find(finding);
  }

  protected find(finding: Finding<Invariant | CommonInvariant>): void {
    if (this.findings.some(({ invariant }) => invariant === finding.invariant)) return;
    this.findings.push(finding);
    this.machine.note(`! ${finding.invariant}: ${finding.text}`);
    if (!this.#options.goesOn(finding)) throw new LifeEnded();
  }

  /**
   * Lets time pass, from one event to the next.
   * @param hasRound whether the product's rounds are due at its end
   */
  protected async pass(ms: number, { hasRound = ms >= 30_000 } = {}): Promise<void> {
    const { machine } = this;
    const until = machine.nowMs + ms;
    for (let stops = 0; stops < mostStops; stops++) {
      await this.idle();
      if (!(await this.#goOn(until))) break;
    }
    machine.nowMs = Math.max(machine.nowMs, until);
    this.product.jobs.note();
    if (hasRound) await this.#beginRounds();
  }

  /** Lets time pass to the next event until then. @returns whether there is one */
  async #goOn(until: number): Promise<boolean> {
    const { machine } = this;
    const times = [machine.nextTimerMs(), await this.product.jobs.nextMs()].filter((time) => time !== null);
    const next = Math.min(...times);
    if (!(next <= until)) return false;
    machine.nowMs = Math.max(machine.nowMs, next);
    this.product.jobs.note();
    return true;
  }

  /** What a call answers to a person, once everything that is due has happened; null when it refuses. */
  async read<C extends Call>(who: Pick<Member, 'secret'>, call: C, parts: object) {
    const pending = this.product.call(who, call, parts);
    const answers: Answered<C>[] = [];
    pending.then((answer) => answers.push(answer)).catch(() => {});
    await this.idle();
    const [answer] = answers;
    return answer?.status === 200 ? answer.reply : null;
  }

  /** Ends what the connections of a process that died were in the middle of. */
  async #endStatements(): Promise<void> {
    const { monitor, backends, queue } = this.world;
    await this.machine.quiesce();
    this.machine.dropDead();
    const blocked = this.machine.takeBlocked();
    // What one of them gives back lets no other one go on.
    for (const backend of blocked) backend.hold();
    for (const { pid } of blocked) await monitor.run(`select pg_cancel_backend(${pid})`);
    for (const backend of blocked) {
      backend.goOn();
      while (backend.isBusy) await nextTurn();
    }
    for (const backend of [...backends, queue]) if (backend.state !== 'I') await backend.run('rollback');
  }

  /** Lets things happen until a step of this kind waits, or nothing is left for an hour. */
  protected async reach(point: string): Promise<void> {
    const until = this.machine.nowMs + 3_600_000;
    for (let stops = 0; stops < mostStops; stops++) {
      do {
        await this.machine.quiesce();
        await this.product.jobs.refresh();
        if (this.machine.waitingNames().some((name) => crashPoint(name) === point)) return;
      } while (await this.#step());
      if (!(await this.#goOn(until))) return;
    }
  }

  /**
   * The process ends between two steps, with all its connections, and begins again.
   * @param point the kind of step before which it ends; null: any
   */
  protected async crash(point: string | null): Promise<void> {
    if (point !== null) await this.reach(point);
    const { world, machine, product } = this;
    for (const waiting of new Set(machine.waitingNames().map(crashPoint)))
      this.coverage.count('crash before', waiting);
    product.die();
    this.#begun = Promise.withResolvers<Product>();
    this.onCrash();
    await this.#endStatements();
    machine.nowMs += 3000;
    await setTime(world, machine.nowMs);
    // As at the start of the product.
    const pool = {
      query: async (text: string, params: string[]) => {
        // Postgres leaves open in which order jobs get new ids: here it is that of their old ones.
        const held = text.includes('set id = default')
          ? await world.admin`select id from graphile_worker._private_jobs where locked_by is not null order by id`
          : [];
        for (const { id } of held) await world.admin.unsafe(`${text} and id = ${id}`, params);
        return { rows: held.length > 0 ? [] : await world.admin.unsafe(text, params) };
      },
    };
    await giveBackJobs(pool as never, product.keyedTasks);
    await this.#startProduct();
    await this.#beginRounds();
  }
}

const isWrite = /\b(insert into|update|delete from|store_message)\b/i;

/** The message of an error in a line of the log, on one line. */
const reasonIn = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? `: ${String(error.message).split('\n')[0]}`
    : '';
