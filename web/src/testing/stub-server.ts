import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { queryClient } from '../lib/queries.ts';

export interface StubRequest {
  /** 'POST /v1/account' */
  line: string;
  body: unknown;
}

/**
 * The page's own server for every test of the file or suite that calls it: it answers from a table and records its requests,
 * for tests of what the web sends and shows. Each test begins without answers, requests and cached data.
 */
export function stubServer() {
  const answers = new Map<string, { status: number; body: unknown }>();
  const requests: StubRequest[] = [];
  const held = new Set<string>();
  let release = () => {};
  let released = Promise.resolve();
  const server = createServer(async (request, response) => {
    const parts: string[] = [];
    for await (const part of request) parts.push(String(part));
    const text = parts.join('');
    const line = `${request.method} ${request.url}`;
    const isJson = request.headers['content-type']?.startsWith('application/json');
    requests.push({ line, body: isJson ? JSON.parse(text) : undefined });
    if (held.has(line)) await released;
    const { status, body } = answers.get(line) ?? problem(404, 'general_route_not_found');
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(body === undefined ? '' : JSON.stringify(body));
  });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // What the test environment adds to its window, unknown to the DOM's types.
    const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } };
    happyDOM.setURL(origin);
  });
  beforeEach(() => {
    // Held requests continue.
    release();
    answers.clear();
    requests.length = 0;
    queryClient.clear();
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return {
    get origin() {
      return origin;
    },
    requests,
    /** `answer('GET /api/account/session', 200, {…})` */
    answer: (line: string, status: number, body?: unknown) => void answers.set(line, { status, body }),
    /** Lets these calls wait until `release()`. */
    hold(lines: readonly string[]) {
      for (const line of lines) held.add(line);
      released = new Promise((done) => {
        release = () => {
          held.clear();
          done();
        };
      });
    },
    release: () => release(),
  };
}

/** The shape of every refusal. */
export const problem = (code: number, type: string, more: Record<string, unknown> = {}) => ({
  status: code,
  body: { message: type, code, type, version: '1', title: `Title of ${type}`, ...more },
});

/** The realtime of a server that says what the test publishes: `vi.stubGlobal('WebSocket', StubSocket)`. */
export class StubSocket extends EventTarget {
  static latest: StubSocket | undefined;
  readonly channels = new Map<string, string[]>();
  constructor() {
    super();
    StubSocket.latest = this;
    setTimeout(() => this.receive({ type: 'connected' }));
  }
  /** Sends an event to every subscription of the channel. */
  static publish(channel: string, payload: object = {}) {
    const subscriptions = [...(StubSocket.latest?.channels ?? [])]
      .filter(([, channels]) => channels.includes(channel))
      .map(([id]) => id);
    expect(subscriptions).not.toEqual([]);
    StubSocket.latest?.receive({ type: 'event', data: { subscriptions, channels: [channel], payload } });
  }
  send(text: string) {
    const { type, data } = JSON.parse(text);
    if (type !== 'subscribe') return;
    for (const { subscriptionId, channels } of data) this.channels.set(subscriptionId, channels);
    this.receive({ type: 'response', data: { to: 'subscribe', subscriptions: data } });
  }
  close() {}
  receive(message: object) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
}

/** A socket that never opens. */
export class SilentSocket extends EventTarget {
  send() {}
  close() {}
}
