import type { Call } from '@tara/contract/calls';
import { nowMs } from '@tara/contract/clock';
import { createPaymongo } from '@tara/paymongo';
import { jobHandlers } from '@tara/server/feature-list';
import { accountLimits } from '@tara/server/features/accounts/index';
import { disputeRoutes } from '@tara/server/features/disputes/index';
import { interactionRoutes } from '@tara/server/features/interactions/index';
import { paymentRoutes } from '@tara/server/features/payments/index';
import { registerWebhook } from '@tara/server/features/payments/registration';
import { reviewRoutes } from '@tara/server/features/reviews/index';
import { connectByWork } from '@tara/server/platform/database/connect';
import type { Task } from '@tara/server/platform/jobs/task';
import { openLog } from '@tara/server/platform/log';
import { runAs, type Work } from '@tara/server/platform/work';
import type { Member } from '@tara/server/testing/features/members';
import { testPlatform } from '@tara/server/testing/platform';
import { type Answered, type TestServer, testServer } from '@tara/server/testing/server';
import { type Machine, runFor } from '../machine/machine.ts';
import type { Backend } from '../postgres/backend.ts';
import { Line, type Statements } from '../postgres/line.ts';
import { Jobs } from './jobs.ts';
import type { Provider } from './provider.ts';

/** Connections of each class of work. */
const sizes: Record<Work, number> = { core: 3, browsing: 1, background: 2 };
export const connectionCount = Object.values(sizes).reduce((sum, size) => sum + size, 0);
const unlimited = { statementTimeout: 0 };

export interface ProductOptions {
  machine: Machine;
  provider: Provider;
  url: string;
  /** As many as `connectionCount`. */
  backends: readonly Backend[];
  /** That of the queue. */
  queue: Backend;
  statements: Statements;
  environment: Record<string, string>;
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
  readonly #server: TestServer;
  #registerAgainMs = 0;
  #registerWebhook: () => Promise<void> = async () => {};
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
    this.#server = server;
    this.jobs = jobs;
    this.keyedTasks = keyedTasks;
    this.config = config;
    this.#life = life;
    // Usually nobody waits for it.
    this.#died.promise.catch(() => {});
  }

  static async start(options: ProductOptions): Promise<Product> {
    const { machine, provider, url, backends, statements, environment } = options;
    const life = { isDead: false };
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
    const client = createPaymongo({
      ...{ secretKey: provider.secretKey, baseUrl: provider.origin, fetch: provider.fetchOf(life) },
      ...{ links: platform.config.payMongoLinks, now: nowMs },
    });
    const server = await testServer(platform, (app) => {
      interactionRoutes(app, platform);
      disputeRoutes(app, platform);
      paymentRoutes(app, platform, client);
      reviewRoutes(app, platform);
    });
    const handlers: Record<string, Task> = jobHandlers(platform, {
      ...{ provider: client, sms: null, limits: accountLimits(false, platform.openCounter) },
      mailer: { send: async () => {}, close: () => {} },
      documentsKeys: async () => [Buffer.alloc(32, 1)],
    });
    const jobs = new Jobs({ machine, queue: options.queue, handlers, log });
    const keyedTasks = Object.keys(handlers).filter((name) => handlers[name]?.isKeyed);
    const product = new Product(server, jobs, { keyedTasks, config: platform.config, life });
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
    const context = { ...platform, provider: client };
    product.#registerWebhook = () => registerWebhook(context, webhookUrl);
    await machine.runAll(product.register());
    return product;
  }

  /** Registers the webhook, as every start does. A provider that is away is asked again by the next round. */
  async register(): Promise<void> {
    this.#registerAgainMs = 0;
    try {
      await runFor('the round', () => this.#registerWebhook());
      this.#registerAgainMs = nowMs() + registerEveryMs;
    } catch {
      // The product logs it and goes on.
    }
  }

  /** The same every now and then: the provider may have disabled it. */
  async keepRegistered(): Promise<void> {
    if (nowMs() >= this.#registerAgainMs) await this.register();
  }

  /** Makes a call as a member. @throws ProcessDied */
  call<C extends Call>(who: Member, call: C, parts: object = {}): Promise<Answered<C>> {
    return Promise.race([this.#server.call(who, call, parts), this.#died.promise]);
  }

  /** Passes a request on. @throws ProcessDied */
  request(options: Parameters<TestServer['request']>[1]) {
    return Promise.race([this.#server.request(null, options), this.#died.promise]);
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

const registerEveryMs = 600_000;
const webhookUrl = 'http://tara.test/api/payment/webhook';
