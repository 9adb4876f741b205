import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nowMs } from '@tara/contract/clock';
import { createPaymongo, PaymongoError, verifySignature, WEBHOOK_EVENTS, WebhookEvent } from '@tara/paymongo';
import Fastify from 'fastify';
import { expect, onTestFinished } from 'vitest';
import type { z } from 'zod';
import type { ProviderOptions } from '../index.ts';
import { PREFIX, SECRET_KEY, serveProvider } from './server.ts';

/** Calls `poll` until it returns a value; the test's time limit ends the wait. */
export async function until<T>(poll: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const value = await poll();
    if (value !== undefined && value !== null && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type StartOptions = Partial<ProviderOptions> & { folder?: string; clientTimeoutMs?: number };

/** Starts a provider in a real server, with a client for it. */
export async function startProvider({ clientTimeoutMs = 2_000, ...options }: StartOptions = {}) {
  const folder = options.folder ?? newFolder();
  const { server, provider, origin } = await serveProvider(folder, {
    timeScale: 0.001,
    pendingMs: 20,
    ...options,
  });
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await provider.stop();
    await server.close();
  };
  onTestFinished(stop);

  const address = origin + PREFIX;
  const client = createPaymongo({ secretKey: SECRET_KEY, baseUrl: address, timeoutMs: clientTimeoutMs });
  /** Sends JSON to a call that controls the sandbox. */
  const control = (path: string, input: object) =>
    fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
  /** Submits a form of a page; redirects are returned, not followed. */
  const submit = (path: string, fields: Record<string, string>) =>
    fetch(address + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return {
    client,
    /** A client with the public key, as on the page of a payer. */
    payer: createPaymongo({ secretKey: provider.publicKey, baseUrl: address, timeoutMs: clientTimeoutMs }),
    address,
    origin,
    stop,
    control,
    /** Adds a fault. */
    async fault(input: object): Promise<void> {
      const response = await control('/faults', input);
      if (response.status !== 201) throw new Error(await response.text());
    },
    submit,
    /** Makes a link and pays it by card; returns the link. */
    async payLink(amount: number) {
      const link = await client.links.create({ amount, description: 'Tea' });
      await submit(`/checkout/${link.id}/card`, card('5555444444444457'));
      return link;
    },
  };
}
export type StartedProvider = Awaited<ReturnType<typeof startProvider>>;

/** Parses the JSON of a response with the schema. */
export async function json<T extends z.ZodType>(response: Response | Promise<Response>, schema: T) {
  return schema.parse(await (await response).json());
}

/** The error of a call that is expected to be refused. */
export async function refusal(call: Promise<unknown>): Promise<PaymongoError> {
  const error = await call.then(
    () => new Error('the call succeeded'),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(PaymongoError);
  return error;
}

/** The fields of the card form. */
export const card = (number: string) => ({ number, expiry: '12/34', cvc: '123', name: 'Juan' });

type Received = { event: WebhookEvent; signed: boolean };

/** A webhook receiver that sends the configured reply and records whether each signature is valid. */
export async function startReceiver() {
  const received: Received[] = [];
  const receiver = { secret: '', answer: { status: 200, body: '{}' } };
  const server = Fastify({ forceCloseConnections: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.post<{ Body: Buffer }>('/hook', async (request, reply) => {
    const header = String(request.headers['paymongo-signature']);
    const signed = verifySignature({
      header,
      rawBody: request.body,
      secret: receiver.secret,
      now: nowMs(),
      live: false,
    });
    received.push({ event: WebhookEvent.parse(JSON.parse(request.body.toString())), signed });
    return reply.code(receiver.answer.status).type('application/json').send(receiver.answer.body);
  });
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  const types = () => received.map(({ event }) => event.data.attributes.type);
  return Object.assign(receiver, {
    url: `${origin}/hook`,
    received,
    types,
    /** Registers this receiver for `events`. */
    async listen({ client }: StartedProvider, events: string[] = [...WEBHOOK_EVENTS]) {
      const webhook = await client.webhooks.create({ url: `${origin}/hook`, events });
      receiver.secret = webhook.attributes.secret_key ?? '';
      return webhook;
    },
  });
}
