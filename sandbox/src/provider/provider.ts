import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Access } from '../access.ts';
import { storedSecret } from '../private-folder.ts';
import { authorize, createApi, limitPublicKey, publicKey, replyWithError } from './api.ts';
import { addCallFaults } from './call-faults.ts';
import type { Log, ProviderContext } from './context.ts';
import { createDeliveries } from './deliveries.ts';
import { createEvents } from './events.ts';
import { createFaults } from './faults.ts';
import { createIdempotency } from './idempotency.ts';
import { addPages } from './pages/overview.ts';
import { createPresenter } from './present.ts';
import { notFound } from './problem.ts';
import { disputeCalls } from './resources/disputes.ts';
import { linkCalls, paymentLinkCalls } from './resources/links.ts';
import { paymentIntentCalls } from './resources/payment-intents.ts';
import { paymentMethodCalls } from './resources/payment-methods.ts';
import { paymentCalls } from './resources/payments.ts';
import { refundCalls } from './resources/refunds.ts';
import { sourceCalls } from './resources/sources.ts';
import { transferCalls } from './resources/transfers.ts';
import { walletCalls } from './resources/wallets.ts';
import { webhookCalls } from './resources/webhooks.ts';
import { type Clock, createSettings, realClock, type Settings } from './settings.ts';
import { createRecords, openStore } from './store.ts';
import { createWorker } from './worker.ts';

export type ProviderOptions = {
  /** Folder of `provider.sqlite`. */
  folder: string;
  /** Absolute URL of the plugin's prefix; a function when it is known only later. */
  publicUrl: string | (() => string);
  /** Access control of the overview, the events and the faults; the checkout is public. */
  access: Access;
  /**
   * The key that clients must send; `sk_live_…` selects live mode. Default: a random one in
   * `<folder>/secret-key`.
   */
  secretKey?: string;
  /** Whether deliveries may be sent to a URL; any URL can be registered. Default: none. */
  deliverTo?: (url: URL) => boolean;
  clock?: Clock;
  log?: Log;
  /** Factor for the pauses between retries. With 1, the default, all twelve retries take 136.5 minutes. */
  timeScale?: number;
  /** What differs between accounts; changes by `POST /settings` take precedence. */
  settings?: Partial<Settings>;
  /** How long transfers and refunds stay pending, in ms. Default 700. */
  pendingMs?: number;
  /** Time limit for the receiver of a delivery in ms. Default 30 000. */
  deliveryTimeoutMs?: number;
  /** By which deliveries are sent. Default: that of Node. */
  fetch?: typeof fetch;
};

export type Provider = {
  /** The key that clients must send. */
  secretKey: string;
  /** The key for the pages of payers: it makes methods and sources, and pays intents by their client key. */
  publicKey: string;
  plugin: FastifyPluginAsync;
  /** Starts the worker, which first continues the work that the last run left. */
  start(): void;
  /**
   * Stops the work in progress (the next start continues it) and closes the file. Closing the server also does so,
   * after the last reply. Call it only when the server continues without the sandbox.
   */
  stop(): Promise<void>;
};

const silent: Log = { warn() {} };

/** A local payment provider: its API, checkout pages, webhook deliveries and faults. */
export function createProvider(options: ProviderOptions): Provider {
  const { publicUrl, access } = options;
  const secretKey = options.secretKey ?? storedSecret(options.folder, 'secret-key', 'sk_test_');
  const realTime = options.clock ?? realClock;
  const log = options.log ?? silent;
  const livemode = secretKey.startsWith('sk_live_');
  const store = openStore(options.folder);
  const settings = createSettings(store, options.settings ?? {});
  const clock = settings.createClock(realTime);
  const faults = createFaults(store);
  const events = createEvents(store, faults, clock, livemode);
  const deliveries = createDeliveries({
    store,
    events,
    clock,
    signingTime: realTime.now,
    log,
    livemode,
    deliverTo: options.deliverTo ?? (() => false),
    timeScale: options.timeScale ?? 1,
    deliveryTimeoutMs: options.deliveryTimeoutMs ?? 30_000,
    fetch: options.fetch ?? fetch,
  });
  const context: ProviderContext = {
    ...createRecords(store, clock, livemode),
    store,
    faults,
    present: createPresenter(store),
    clock,
    log,
    livemode,
    secretKey,
    publicUrl: () => (typeof publicUrl === 'string' ? publicUrl : publicUrl()).replace(/\/+$/, ''),
    settings,
    pendingMs: options.pendingMs ?? 700,
    callBack: deliveries.callBack,
    emit: events.emit,
  };
  const worker = createWorker(context, deliveries);

  async function stop(): Promise<void> {
    await worker.stop();
    store.close();
  }

  const plugin: FastifyPluginAsync = async (app) => {
    app.addHook('onClose', stop);
    // The host may parse bodies differently; these parsers are the provider's.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'string' }, parseLeniently);
    await app.register(formbody, { bodyLimit: 65_536 });

    const api = (prefix: string, bind: (scope: FastifyInstance) => void) =>
      app.register(
        async (scope) => {
          scope.setErrorHandler((error, _request, reply) => replyWithError(error, reply, log));
          scope.addHook('onRequest', async (request) => authorize(request, secretKey));
          scope.addHook('preHandler', async (request) => {
            const path = request.url.slice(app.prefix.length).split('?')[0] ?? '';
            limitPublicKey(request, secretKey, path);
          });
          addCallFaults(scope, context, app.prefix);
          scope.setNotFoundHandler((request) => {
            throw notFound(request.url);
          });
          bind(scope);
        },
        { prefix },
      );

    const runOnce = createIdempotency(store, clock);
    api('/v1', (scope) => {
      const calls = createApi(scope, context, worker.runSoon, runOnce, 200);
      linkCalls(calls, context);
      paymentLinkCalls(calls, context);
      paymentIntentCalls(calls, context);
      paymentMethodCalls(calls, context);
      sourceCalls(calls, context);
      paymentCalls(calls, context);
      refundCalls(calls, context);
      disputeCalls(calls, context);
      webhookCalls(calls, context, deliveries);
    });
    api('/v2', (scope) => {
      const calls = createApi(scope, context, worker.runSoon, runOnce, 201);
      walletCalls(calls, context);
      transferCalls(calls, context);
    });
    app.register(async (scope) =>
      addPages(scope, { context, access, events, deliveries, runSoon: worker.runSoon }),
    );
  };

  return { secretKey, publicKey: publicKey(secretKey), plugin, start: worker.start, stop };
}

/** Parses JSON; an empty body is allowed, as at the provider. */
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
