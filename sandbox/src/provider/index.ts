import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Access } from '../access.ts';
import { storedSecret } from '../private-folder.ts';
import { answerProblem, authorize, createApi } from './api.ts';
import { addCallFaults } from './call-faults.ts';
import { type Clock, realClock } from './clock.ts';
import { createDeliveries } from './deliveries.ts';
import { createEvents } from './events.ts';
import { createFaults } from './faults.ts';
import { createOnce } from './idempotency.ts';
import { addPages } from './pages/index.ts';
import { presenting } from './present.ts';
import { notFound } from './problem.ts';
import { linkCalls } from './resources/links.ts';
import { paymentIntentCalls } from './resources/payment-intents.ts';
import { paymentMethodCalls } from './resources/payment-methods.ts';
import { paymentCalls } from './resources/payments.ts';
import { refundCalls } from './resources/refunds.ts';
import { sourceCalls } from './resources/sources.ts';
import { transferCalls } from './resources/transfers.ts';
import { walletCalls } from './resources/wallets.ts';
import { webhookCalls } from './resources/webhooks.ts';
import { openStore } from './store.ts';
import { createWorker } from './worker.ts';
import type { Log, World } from './world.ts';

export { TEST_CARDS } from './cards.ts';
export type { Clock } from './clock.ts';

export type ProviderOptions = {
  /** `provider.sqlite` lives here. */
  folder: string;
  /** Absolute address of the prefix under which the plugin is registered; a function when it is known later. */
  publicUrl: string | (() => string);
  /** Who may open the overview, the events and the faults; the checkout is open to all. */
  access: Access;
  /**
   * The key that clients must send. `sk_live_…` makes everything live mode. Default: a random one in
   * `<folder>/secret-key`.
   */
  secretKey?: string;
  /** Which addresses deliveries may be sent to; any can be registered. Default: none. */
  deliverTo?: (url: URL) => boolean;
  clock?: Clock;
  log?: Log;
  /** Pauses between retries are multiplied by this. 1, the default, takes 136.5 minutes for all twelve. */
  timeScale?: number;
  /** How long transfers and refunds stay pending, in ms. Default 700. */
  settleMs?: number;
  /** How long a receiver of a delivery may take, in ms. Default 30 000. */
  patienceMs?: number;
};

export type Provider = {
  /** The key that clients must send. */
  secretKey: string;
  plugin: FastifyPluginAsync;
  /** Begins delivering and settling, what was left over by the last run first. */
  start(): void;
  /**
   * Ends what is on its way (the next start goes on with it) and closes the file. Closing the server does it too,
   * after the last call was answered; by itself it is for when the server goes on without a sandbox.
   */
  stop(): Promise<void>;
};

const silent: Log = { warn() {} };

/** A payment provider in a box: its wire, its checkout page, its deliveries, and its bad days. */
export function createProvider(options: ProviderOptions): Provider {
  const { publicUrl, access } = options;
  const secretKey = options.secretKey ?? storedSecret(options.folder, 'secret-key', 'sk_test_');
  const clock = options.clock ?? realClock;
  const log = options.log ?? silent;
  const livemode = secretKey.startsWith('sk_live_');
  const store = openStore(options.folder);
  const faults = createFaults(store);
  const events = createEvents(store, faults, clock, livemode);
  const deliveries = createDeliveries({
    store,
    events,
    clock,
    log,
    livemode,
    deliverTo: options.deliverTo ?? (() => false),
    timeScale: options.timeScale ?? 1,
    patienceMs: options.patienceMs ?? 30_000,
  });
  const world: World = {
    store,
    faults,
    present: presenting(store),
    clock,
    log,
    livemode,
    secretKey,
    publicUrl: () => (typeof publicUrl === 'string' ? publicUrl : publicUrl()).replace(/\/+$/, ''),
    settleMs: options.settleMs ?? 700,
    emit: events.emit,
  };
  const worker = createWorker(world, deliveries);

  async function stop(): Promise<void> {
    await worker.stop();
    store.close();
  }

  const plugin: FastifyPluginAsync = async (app) => {
    app.addHook('onClose', stop);
    // The host may read bodies its own way; the provider's wire is ours to read.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'string' }, parseLeniently);
    await app.register(formbody, { bodyLimit: 65_536 });

    const api = (prefix: string, bind: (scope: FastifyInstance) => void) =>
      app.register(
        async (scope) => {
          scope.setErrorHandler((error, _request, reply) => answerProblem(error, reply, log));
          scope.addHook('onRequest', async (request) => authorize(request, secretKey));
          addCallFaults(scope, world, app.prefix);
          scope.setNotFoundHandler((request) => {
            throw notFound(request.url);
          });
          bind(scope);
        },
        { prefix },
      );

    api('/v1', (scope) => {
      const calls = createApi(scope, world, worker.wake);
      linkCalls(calls, world);
      paymentIntentCalls(calls, world);
      paymentMethodCalls(calls, world);
      sourceCalls(calls, world);
      paymentCalls(calls, world);
      refundCalls(calls, world);
      webhookCalls(calls, world, deliveries);
    });
    api('/v2', (scope) => {
      const calls = createApi(scope, world, worker.wake, createOnce(store, clock));
      walletCalls(calls, world);
      transferCalls(calls, world);
    });
    app.register(async (scope) => addPages(scope, { world, access, events, deliveries, wake: worker.wake }));
  };

  return { secretKey, plugin, start: worker.start, stop };
}

/** An empty body is no body; the provider does not mind a content type without content. */
function parseLeniently(
  _request: unknown,
  body: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
) {
  if (body.length === 0) return done(null, undefined);
  try {
    done(null, JSON.parse(body.toString()));
  } catch {
    done(Object.assign(new Error('The body is not valid JSON.'), { statusCode: 400 }));
  }
}
