import type { Call } from '@tara/contract/calls';
import { connectByWork } from '@tara/server/platform/database/connect';
import type { Task } from '@tara/server/platform/jobs/task';
import { openLog } from '@tara/server/platform/log';
import { runAs, type Work } from '@tara/server/platform/work';
import type { Member } from '@tara/server/testing/features/members';
import { type TestPlatform, testPlatform } from '@tara/server/testing/platform';
import type { Answered, TestServer } from '@tara/server/testing/server';
import type { Machine, Mortal } from '../machine/machine.ts';
import type { Backend } from '../postgres/backend.ts';
import { Line, type Statements } from '../postgres/line.ts';
import { Jobs } from './jobs.ts';

/** Connections of each class of work. */
const sizes: Record<Work, number> = { core: 3, browsing: 1, background: 2 };
export const connectionCount = Object.values(sizes).reduce((sum, size) => sum + size, 0);
const unlimited = { statementTimeout: 0 };

/** What a process of the product serves. */
export interface Served {
  server: TestServer;
  /** What does each kind of job. */
  handlers: Record<string, Task>;
  /** What a start does before anything else happens. */
  begin(): Promise<void>;
}

interface ProductOptions {
  machine: Machine;
  /** Whether it is dead. */
  life: { isDead: boolean };
  url: string;
  /** As many as `connectionCount`. */
  backends: readonly Backend[];
  /** That of the queue. */
  queue: Backend;
  statements: Statements;
  environment: Record<string, string>;
  /** Binds the calls and jobs that are simulated. */
  serve(platform: TestPlatform, life: Mortal): Promise<Served>;
  onCommit: (texts: readonly string[]) => void;
  /** Called with each line of the log that reports an error. */
  onError: (line: Record<string, unknown>) => void;
}

/** The process died while somebody waited for it. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

/** One process of the product: its calls and jobs with memory of its own, on connections that the machine steps. */
export class Product {
  readonly jobs: Jobs;
  readonly server: TestServer;
  readonly #died = Promise.withResolvers<never>();

  /** Names of the tasks whose jobs have keys. */
  readonly keyedTasks: readonly string[];
  readonly config: ReturnType<typeof testPlatform>['config'];
  readonly #life: { isDead: boolean };

  private constructor(
    server: TestServer,
    jobs: Jobs,
    { keyedTasks, config, life }: Pick<Product, 'keyedTasks' | 'config'> & { life: { isDead: boolean } },
  ) {
    this.server = server;
    this.jobs = jobs;
    this.keyedTasks = keyedTasks;
    this.config = config;
    this.#life = life;
    // Usually nobody waits for it.
    this.#died.promise.catch(() => {});
  }

  static async start(options: ProductOptions): Promise<Product> {
    const { machine, life, url, backends, statements, environment } = options;
    let next = 0;
    const connection = connectByWork(
      url,
      sizes,
      { core: unlimited, browsing: unlimited, background: unlimited },
      {
        lasts: true,
        openSocket: (name) => {
          const backend = backends[next];
          next += 1;
          if (!backend) throw new Error('the product opened more connections than it may');
          return new Line({
            ...{ machine, backend, statements, life, onCommit: options.onCommit },
            name: `${name.replace('tara ', '')} ${next}`,
          });
        },
      },
    );
    const log = openLog({
      level: 'error',
      destination: { write: (line) => options.onError(JSON.parse(line)) },
    });
    const platform = { ...testPlatform(connection.database, environment), log };
    const { server, handlers, begin } = await options.serve(platform, life);
    const jobs = new Jobs({ machine, queue: options.queue, handlers, log });
    const keyedTasks = Object.keys(handlers).filter((name) => handlers[name]?.isKeyed);
    const product = new Product(server, jobs, { keyedTasks, config: platform.config, life });
    // As at the start of the product: else each connection would ask for the types.
    await machine.runAll(connection.learnTypes());
    // Each connection is opened before the machine chooses anything. The second time they are all free, and are free again in
    // the order of their names: who gets which connection follows from that order.
    for (const _ of ['opened', 'in order']) {
      const all = (Object.keys(sizes) as Work[]).flatMap((work) =>
        Array.from({ length: sizes[work] }, () =>
          runAs(work, async () => void (await connection.database.execute('select 1'))),
        ),
      );
      await machine.runAll(Promise.all(all));
    }
    await machine.runAll(begin());
    return product;
  }

  /** Makes a call as a member. @throws ProcessDied */
  call<C extends Call>(who: Pick<Member, 'secret'>, call: C, parts: object = {}): Promise<Answered<C>> {
    return Promise.race([this.server.call(who, call, parts), this.#died.promise]);
  }

  /** Passes a request on. @throws ProcessDied */
  request(options: Parameters<TestServer['request']>[1]) {
    return Promise.race([this.server.request(null, options), this.#died.promise]);
  }

  get isDead(): boolean {
    return this.#life.isDead;
  }

  /** From now on nothing of it happens any more. */
  die(): void {
    this.#life.isDead = true;
    this.#died.reject(new ProcessDied('The process died.'));
  }
}
