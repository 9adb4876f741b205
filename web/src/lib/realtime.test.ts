// @vitest-environment node
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type WebSocket as Peer, WebSocketServer } from 'ws';
import { RealtimeSocket } from './realtime.ts';

interface Frame {
  type: string;
  data?: { subscriptionId: string; channels: string[] }[];
}

/** One client as the server sees it: the frames it sent, and the server's replies. */
class Guest {
  readonly frames: Frame[] = [];
  readonly peer: Peer;
  /** How many subscribe messages it drops, as a server does with one that sends too many. */
  deaf = 0;

  constructor(peer: Peer, answers: boolean) {
    this.peer = peer;
    peer.on('message', (raw) => {
      const frame: Frame = JSON.parse(String(raw));
      this.frames.push(frame);
      if (frame.type === 'subscribe' && this.hears())
        this.sendFrame('response', { to: 'subscribe', success: true, subscriptions: frame.data });
      if (frame.type === 'ping' && answers) peer.send(JSON.stringify({ type: 'pong' }));
    });
    this.sendFrame('connected', { channels: [], user: null });
  }

  hears(): boolean {
    this.deaf -= 1;
    return this.deaf < 0;
  }
  sendFrame(type: string, data: unknown): void {
    this.peer.send(JSON.stringify({ type, data }));
  }
  event(subscriptions: string[], payload: Record<string, unknown>): void {
    this.sendFrame('event', { events: [], channels: [], timestamp: '', payload, subscriptions });
  }
  subscriptions(): { subscriptionId: string; channels: string[] }[] {
    return this.frames.flatMap((frame) => (frame.type === 'subscribe' ? (frame.data ?? []) : []));
  }
}

let server: WebSocketServer;
let guests: Guest[];
let answers: boolean;
let client: RealtimeSocket;
const delays: number[] = [];

beforeEach(async () => {
  answers = true;
  guests = [];
  delays.length = 0;
  server = new WebSocketServer({ port: 0 });
  server.on('connection', (peer) => guests.push(new Guest(peer, answers)));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = new RealtimeSocket({
    url: () => `ws://127.0.0.1:${port}`,
    pingIntervalMs: 30,
    lingerMs: 0,
    delayMs: (attempt) => {
      delays.push(attempt);
      return 5;
    },
  });
});

afterEach(async () => {
  client.close();
  for (const peer of server.clients) peer.terminate();
  await new Promise((closed) => server.close(closed));
});

const presence = (status: string) => ({ type: 'presence', data: { status } });

const guest = (index: number) =>
  vi.waitUntil(() => (guests[index]?.subscriptions().length ? guests[index] : undefined));

describe('the realtime socket', () => {
  test('subscribes to everything of one render in one message, and only after the server said connected', async () => {
    client.listen({ channels: ['a'], onEvent: () => {} });
    client.listen({ channels: ['b', 'c'], onEvent: () => {} });
    const first = await guest(0);
    expect(first.frames.filter(({ type }) => type === 'subscribe')).toHaveLength(1);
    expect(first.subscriptions().map(({ channels }) => channels)).toEqual([['a'], ['b', 'c']]);
  });

  test('brings an event to the listener it was meant for', async () => {
    const toA = vi.fn();
    const toB = vi.fn();
    client.listen({ channels: ['a'], onEvent: toA });
    client.listen({ channels: ['b'], onEvent: toB });
    const first = await guest(0);
    const [a] = first.subscriptions();
    first.event([a?.subscriptionId ?? ''], { $id: 'one' });
    await vi.waitFor(() => expect(toA).toHaveBeenCalledOnce());
    expect(toA.mock.calls[0]?.[0]).toMatchObject({ payload: { $id: 'one' } });
    expect(toB).not.toHaveBeenCalled();
  });

  test('the socket subscribes again after a lost connection and lets each listener catch up', async () => {
    const onCatchUp = vi.fn();
    const onEvent = vi.fn();
    client.listen({ channels: ['a'], onEvent, onCatchUp });
    const first = await guest(0);
    await vi.waitFor(() => expect(onCatchUp).toHaveBeenCalledTimes(1));
    first.peer.close(1001);
    const second = await guest(1);
    await vi.waitFor(() => expect(onCatchUp).toHaveBeenCalledTimes(2));
    second.event([second.subscriptions()[0]?.subscriptionId ?? ''], { $id: 'later' });
    await vi.waitFor(() => expect(onEvent).toHaveBeenCalledOnce());
  });

  test('counts its tries from 0 again once it was connected', async () => {
    client.listen({ channels: ['a'], onEvent: () => {} });
    (await guest(0)).peer.close(1011);
    (await guest(1)).peer.close(1011);
    await guest(2);
    expect(delays).toEqual([0, 0]);
  });

  test('waits longer before each try while nobody answers', async () => {
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    client.listen({ channels: ['a'], onEvent: () => {} });
    await vi.waitFor(() => expect(delays.length).toBeGreaterThan(2));
    expect(delays.slice(0, 3)).toEqual([0, 1, 2]);
    server = new WebSocketServer({ port });
    server.on('connection', (peer) => guests.push(new Guest(peer, answers)));
    await guest(0);
  });

  test('does not reconnect after a policy violation', async () => {
    client.listen({ channels: ['a'], onEvent: () => {} });
    const first = await guest(0);
    const gone = once(first.peer, 'close');
    first.peer.close(1008);
    await gone;
    client.listen({ channels: ['b'], onEvent: () => {} });
    expect(delays).toEqual([]);
    expect(guests).toHaveLength(1);
  });

  test('repeats a subscription that the server did not confirm', async () => {
    client.listen({ channels: ['a'], onEvent: () => {} });
    const first = await guest(0);
    first.deaf = 1;
    const onCatchUp = vi.fn();
    client.listen({ channels: ['b'], onEvent: () => {}, onCatchUp });
    await vi.waitFor(() => expect(onCatchUp).toHaveBeenCalledOnce());
    expect(first.subscriptions().map(({ channels }) => channels)).toEqual([['a'], ['b'], ['b']]);
  });

  test('pings, and treats a silent connection as dead', async () => {
    answers = false;
    client.listen({ channels: ['a'], onEvent: () => {} });
    const first = await guest(0);
    const second = await guest(1);
    expect(first.frames.map(({ type }) => type)).toEqual(['subscribe', 'ping']);
    expect(second.subscriptions()).toHaveLength(1);
  });

  test('sends what may be lost while it is connected, and nothing before', async () => {
    client.send('presence', { status: 'early' });
    client.listen({ channels: ['a'], onEvent: () => {} });
    client.send('presence', { status: 'early' });
    const first = await guest(0);
    client.send('presence', { status: 'typing' });
    await vi.waitFor(() => expect(first.frames).toContainEqual(presence('typing')));
    expect(first.frames).not.toContainEqual(presence('early'));
  });

  test('unsubscribes removed listeners, and closes after the last', async () => {
    const stopA = client.listen({ channels: ['a'], onEvent: () => {} });
    const stopB = client.listen({ channels: ['b'], onEvent: () => {} });
    const first = await guest(0);
    stopA();
    await vi.waitFor(() => expect(first.frames.map(({ type }) => type)).toContain('unsubscribe'));
    const gone = once(first.peer, 'close');
    stopB();
    expect((await gone)[0]).toBe(1000);
    expect(guests).toHaveLength(1);
  });

  test('a frame that is not JSON changes nothing', async () => {
    const onEvent = vi.fn();
    client.listen({ channels: ['a'], onEvent });
    const first = await guest(0);
    first.peer.send('not json');
    first.event([first.subscriptions()[0]?.subscriptionId ?? ''], { $id: 'after' });
    await vi.waitFor(() => expect(onEvent).toHaveBeenCalledOnce());
  });
});

test('a socket that nobody answers tries again after 1 s five times, 5 s up to the 15th, 10 s up to the 100th, then 60 s (§9-reconnect)', async () => {
  let opened = 0;
  class LostSocket extends EventTarget {
    constructor() {
      super();
      opened += 1;
      queueMicrotask(() => this.dispatchEvent(new CloseEvent('close', { code: 1006 })));
    }
    close() {}
  }
  vi.stubGlobal('WebSocket', LostSocket);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const lost = new RealtimeSocket({ url: () => 'ws://nobody.test' });
  lost.listen({ channels: ['a'], onEvent: () => {} });
  const waits = [
    ...Array<number>(5).fill(1_000),
    ...Array<number>(10).fill(5_000),
    ...Array<number>(85).fill(10_000),
    ...Array<number>(3).fill(60_000),
  ];
  await vi.advanceTimersByTimeAsync(0);
  for (const [index, wait] of waits.entries()) {
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(opened).toBe(index + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(opened).toBe(index + 2);
  }
  lost.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
