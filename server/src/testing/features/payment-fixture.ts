import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nowMs } from '@tara/contract/clock';
import { createPaymongo, type LinksApi, signDelivery } from '@tara/paymongo';
import { openAccess } from '@tara/sandbox/access';
import { createProvider } from '@tara/sandbox/provider';
import Fastify from 'fastify';
import { disputeRoutes } from '../../features/disputes/index.ts';
import { interactionRoutes } from '../../features/interactions/index.ts';
import { reconcile } from '../../features/payments/reconcile.ts';
import { registerWebhook } from '../../features/payments/registration.ts';
import { paymentRoutes } from '../../features/payments/routes.ts';
import { paymentTasks } from '../../features/payments/tasks.ts';
import { signingSecrets } from '../../features/payments/webhook.ts';
import { quietLog } from '../../platform/log.ts';
import type { TestDatabase } from '../database.ts';
import { startTestJobs } from '../jobs.ts';
import { testPlatform } from '../platform.ts';
import { testServer } from '../server.ts';
import { test } from '../test.ts';

const secretKey = 'sk_test_payments';

/** The sandbox of the payment provider on a port of its own. */
async function startProvider(links: LinksApi) {
  const folder = await mkdtemp(join(tmpdir(), 'tara-provider-'));
  const server = Fastify({ forceCloseConnections: true });
  let origin = '';
  const provider = createProvider({
    folder,
    publicUrl: () => origin,
    secretKey,
    access: openAccess({ folder, always: false }),
    deliverTo: ({ hostname }) => hostname === '127.0.0.1',
    // Retries within milliseconds, transfers and refunds settled almost at once.
    timeScale: 0.002,
    pendingMs: 5,
    settings: { withholds_tax: true },
  });
  await server.register(provider.plugin);
  origin = await server.listen({ port: 0, host: '127.0.0.1' });
  provider.start();
  const post = (path: string, body: object) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const ordered = async (path: string, body: object) => {
    const reply = await post(path, body);
    if (!reply.ok) throw new Error(`The sandbox answered ${reply.status} to ${path}: ${await reply.text()}`);
  };
  return {
    secretKey,
    origin,
    client: createPaymongo({ secretKey, baseUrl: origin, timeoutMs: 3000, links }),
    /** The text that a call answers. */
    get: async (path: string) => {
      const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
      return (await fetch(origin + path, { headers: { authorization } })).text();
    },
    /** Controls the sandbox: its time, its settings, and disputes. */
    control: post,
    /** Orders a bad day, see the sandbox's faults. */
    fault: (order: object) => ordered('/faults', order),
    clearFaults: () => ordered('/faults/clear', {}),
    /** Pays on the hosted page with the card that succeeds at once. Whether the payment was taken. */
    pay: async (checkoutUrl: string, number = '5555444444444457') => {
      const body = new URLSearchParams({ number, expiry: '12/34', cvc: '123', name: 'Ben' });
      const answer = await fetch(`${checkoutUrl}/card`, { method: 'POST', body, redirect: 'manual' });
      return answer.status === 303 && !answer.headers.get('location')?.includes('failed=');
    },
    stop: async () => {
      await provider.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Everything that moves money, for tests: our calls, our jobs, a real database, and the provider's sandbox. */
async function startTill(connection: TestDatabase, links: LinksApi) {
  const provider = await startProvider(links);
  const platform = testPlatform(connection.database);
  const server = await testServer(platform, (app) => {
    interactionRoutes(app, platform);
    disputeRoutes(app, platform);
    paymentRoutes(app, platform, provider.client);
  });
  const context = { ...platform, provider: provider.client, signal: new AbortController().signal };
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const webhookUrl = `${origin}/api/payment/webhook`;
  await registerWebhook(context, webhookUrl);
  const jobs = await startTestJobs({
    databaseUrl: connection.url,
    tasks: paymentTasks(platform, provider.client),
    log: quietLog(),
  });

  /** Delivers a body as the provider does, or as someone who pretends to be it. */
  async function deliver(
    event: object,
    forged: { secret?: string; aheadMs?: number; altered?: object } = {},
  ) {
    const [secret = ''] = await signingSecrets(context);
    const rawBody = JSON.stringify(event);
    const now = nowMs() + (forged.aheadMs ?? 0);
    const signature = signDelivery({ rawBody, secret: forged.secret ?? secret, now, live: false });
    return server.request(null, {
      method: 'POST',
      url: '/api/payment/webhook',
      headers: { 'content-type': 'application/json', 'paymongo-signature': signature },
      payload: forged.altered ? JSON.stringify(forged.altered) : rawBody,
    });
  }

  return {
    ...connection,
    platform,
    context,
    provider,
    server,
    webhookUrl,
    deliver,
    /** Runs the reconciler as if everything had had its time. */
    reconcile: () => reconcile(context, { settleSeconds: 0 }),
    close: async () => {
      await provider.stop();
      await server.close();
      await jobs.stop();
    },
  };
}
export type PaymentFixture = Awaited<ReturnType<typeof startTill>>;

/** `test` with a `fixture`, which makes links by the API that the file chooses: it extends `linksApi`. */
export const paymentTest = test
  .extend('linksApi', { scope: 'file' }, (): LinksApi => 'classic')
  .extend('fixture', { scope: 'file' }, async ({ connection, linksApi }, { onCleanup }) => {
    const fixture = await startTill(connection, linksApi);
    onCleanup(() => fixture.close());
    return fixture;
  });
