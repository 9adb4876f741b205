import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { openBus } from '../bus.ts';
import type { Topics } from '../documents.ts';
import type { ResolveViewer, Viewer } from '../http/viewer.ts';
import { quietLog } from '../log.ts';
import type { Filter } from './connection.ts';
import { openHub } from './hub.ts';

const viewer = { accountId: 'ana', profileId: 'p-ana' } as Viewer;

/** The server's end of a socket, without a network. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  pings = 0;
  readonly sent: string[] = [];
  closedWith: number | null = null;
  send(frame: Buffer) {
    this.sent.push(String(frame));
  }
  ping() {
    this.pings += 1;
  }
  close(code: number) {
    this.closedWith = code;
    this.readyState = 2;
  }
  terminate() {
    this.readyState = 3;
    this.emit('close');
  }
  get isCutOff() {
    return this.readyState === 3;
  }
}

const payload = {};

/** A hub whose sessions are looked up by `resolveViewer`. */
function start(resolveViewer: ResolveViewer = async () => viewer) {
  const log = quietLog();
  const bus = openBus<Topics>(log);
  const onlineAccounts = new Set<string>();
  const endedFrame = (ids: readonly string[]) => Buffer.from(`ended ${ids.length}`);
  const hub = openHub({ bus, log, onlineAccounts }, { resolveViewer, endedFrame });
  const connect = () => {
    const socket = new FakeSocket();
    const connection = hub.open(socket as unknown as WebSocket, '203.0.113.9');
    hub.identify(connection, viewer, 'secret');
    hub.subscribe(connection, [{ id: 's1', channels: ['c'] }]);
    return { socket, connection };
  };
  const deliver = (body: string) =>
    hub.deliver({
      ...{ channels: ['c'], accountIds: ['ana'] },
      mayRead: () => true,
      payloadFor: () => payload,
      frameFor: () => Buffer.from(body),
    });
  /** A socket with a subscription for each filter, of the member at the address; undefined where it is refused. */
  const subscribe = (filters: readonly (Filter | undefined)[], accountId = 'ana', ip = '203.0.113.9') => {
    const socket = new FakeSocket();
    const connection = hub.open(socket as unknown as WebSocket, ip);
    hub.identify(connection, { ...viewer, accountId }, 'secret');
    const subscriptions = filters.map((filter, index) => ({ id: `s${index}`, channels: ['c'], filter }));
    const result = hub.subscribe(connection, subscriptions);
    return { socket, connection, result };
  };
  const announce = () =>
    hub.deliver({
      ...{ channels: ['c'], accountIds: null, mayRead: () => true, payloadFor: () => payload },
      frameFor: (_payload, ids) => Buffer.from(`event ${ids.length}`),
    });
  return { bus, hub, onlineAccounts, connect, deliver, subscribe, announce };
}

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }),
);

describe('heartbeats', () => {
  test('cut off a socket that answered none for a minute, and keep one that does (threat-starvation)', () => {
    const { hub, connect } = start();
    const [silent, awake] = [connect().socket, connect().socket];
    for (let round = 0; round < 10; round++) {
      vi.advanceTimersByTime(30_000);
      awake.emit('pong');
    }
    expect(awake).toMatchObject({ pings: 10, isCutOff: false });
    expect(silent).toMatchObject({ pings: 1, isCutOff: true });
    expect(hub.size()).toBe(1);
  });

  test('leave one after the other, and get their events until their turn', async () => {
    const { hub, connect, deliver } = start();
    const sockets = [1, 2, 3].map(() => connect().socket);
    const left = hub.leave(300);
    expect(sockets.map(({ closedWith }) => closedWith)).toEqual([1001, null, null]);
    deliver('late');
    expect(sockets.map(({ sent }) => sent.length)).toEqual([0, 1, 1]);
    sockets[0]?.emit('close');
    for (const socket of sockets.slice(1)) {
      await vi.waitFor(() => expect(socket.closedWith).toBe(1001));
      socket.emit('close');
    }
    await left;
  });

  test('end with the hub, which cuts off who does not answer its close', async () => {
    const begun = vi.spyOn(globalThis, 'setInterval');
    const ended = vi.spyOn(globalThis, 'clearInterval');
    const { hub, connect } = start();
    const { socket } = connect();
    const closed = hub.close();
    expect(socket.closedWith).toBe(1001);
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
    expect(socket.isCutOff).toBe(true);
    // Not all timers of the worker: other files leave some in it.
    expect(begun).toHaveBeenCalled();
    expect(ended).toHaveBeenCalledWith(begun.mock.results[0]?.value);
  });
});

describe('no socket makes the server keep more than a megabyte', () => {
  test('when its reader is slow', () => {
    const { connect, deliver } = start();
    const { socket } = connect();
    socket.bufferedAmount = 1024 * 1024;
    deliver('fits');
    expect(socket.sent).toEqual(['fits']);
    socket.bufferedAmount += 1;
    deliver('does not');
    expect(socket.sent).toEqual(['fits']);
    expect(socket.isCutOff).toBe(true);
  });

  test('while its session is looked up (threat-starvation)', async () => {
    const lookup = Promise.withResolvers<Viewer | null>();
    const { bus, hub, connect, deliver } = start(() => lookup.promise);
    const [busy, idle] = [connect(), connect()];
    hub.subscribe(idle.connection, [{ id: 's1', channels: ['other'] }]);
    bus.publish('viewerChanged', { accountId: 'ana' });
    await null;
    for (let sent = 0; sent < 3; sent++) deliver('x'.repeat(300_000));
    expect(busy.socket.isCutOff).toBe(false);
    deliver('x'.repeat(300_000));
    expect(busy.socket).toMatchObject({ isCutOff: true, sent: [] });
    idle.connection.send(Buffer.from('waits'));
    // Another change meanwhile loses nothing.
    bus.publish('viewerChanged', { accountId: 'ana' });
    await null;
    expect(idle.socket.sent).toEqual([]);
    lookup.resolve(viewer);
    await vi.waitFor(() => expect(idle.socket.sent).toEqual(['waits']));
    expect(busy.socket.sent).toEqual([]);
  });
});

test('a session that cannot be looked up closes its sockets so that they reconnect', async () => {
  const { bus, connect } = start(() => Promise.reject(new Error('The database is away.')));
  const { socket } = connect();
  bus.publish('viewerChanged', { accountId: 'ana' });
  await vi.waitFor(() => expect(socket.closedWith).toBe(1011));
});

test('what was held back is not sent to who may not read it any more (threat-stolen-sessions)', async () => {
  const lookup = Promise.withResolvers<Viewer | null>();
  const { bus, hub, connect } = start(() => lookup.promise);
  const { socket, connection } = connect();
  bus.publish('viewerChanged', { accountId: 'ana' });
  await null;
  hub.deliver({
    ...{ channels: ['c'], accountIds: ['ana'] },
    mayRead: (reader) => reader === viewer,
    payloadFor: () => payload,
    frameFor: () => Buffer.from('not any more'),
  });
  connection.send(Buffer.from('still'));
  lookup.resolve({ ...viewer });
  await vi.waitFor(() => expect(socket.sent).toEqual(['still']));
});

test('a socket that signs in as another while its session is looked up stays theirs', async () => {
  const lookup = Promise.withResolvers<Viewer | null>();
  const begun = Promise.withResolvers<void>();
  const { bus, hub, connect } = start(() => {
    begun.resolve();
    return lookup.promise;
  });
  const { socket, connection } = connect();
  bus.publish('viewerChanged', { accountId: 'ana' });
  await begun.promise;
  hub.identify(connection, { ...viewer, accountId: 'ben' }, 'another secret');
  lookup.resolve(null);
  await vi.advanceTimersByTimeAsync(0);
  expect([socket.closedWith, hub.listens('ana'), hub.listens('ben')]).toEqual([null, false, true]);
});

test('a socket that closed while its session was looked up makes nobody online', () => {
  const { hub } = start();
  const socket = new FakeSocket();
  const connection = hub.open(socket as unknown as WebSocket, '203.0.113.9');
  socket.terminate();
  expect(hub.identify(connection, viewer, 'secret')).toBe(true);
  expect(hub.listens('ana')).toBe(false);
});

test('an account is online from its first socket to its last, and each change is announced once', async () => {
  const { bus, hub, onlineAccounts, connect } = start();
  const states: boolean[] = [];
  bus.subscribe('presenceChanged', ({ accountId, profileId, cause }) => {
    expect({ accountId, profileId, cause }).toEqual({
      accountId: 'ana',
      profileId: 'p-ana',
      cause: 'connection',
    });
    states.push(onlineAccounts.has('ana'));
  });
  const [first, second] = [connect().socket, connect().socket];
  await null;
  expect(states).toEqual([true]);
  first.terminate();
  await null;
  expect([states, hub.listens('ana')]).toEqual([[true], true]);
  second.terminate();
  await null;
  expect([states, hub.listens('ana')]).toEqual([[true, false], false]);
});

describe('no member chooses how much work an event is (threat-event-work)', () => {
  const makeFilter = (key: string, values: number, textLength = 10) => {
    const accepts = vi.fn(() => true);
    return { key, values, textLength, accepts };
  };

  test('by equal filters: one event is compared once', () => {
    const { subscribe, announce } = start();
    const shared = vi.fn(() => true);
    const sockets = ['ana', 'ben'].flatMap((accountId) =>
      Array.from({ length: 4 }, () =>
        subscribe(
          Array.from({ length: 5 }, () => ({ ...makeFilter('same', 20), accepts: shared })),
          accountId,
        ),
      ),
    );
    announce();
    expect(shared).toHaveBeenCalledTimes(1);
    expect(sockets.map(({ socket }) => socket.sent)).toEqual(Array(8).fill(['event 5']));
  });

  test('by values on many sockets of an account', () => {
    const { hub, subscribe } = start();
    const four = Array.from({ length: 4 }, (_, index) => makeFilter(`${index}`, 100));
    const first = subscribe(four);
    expect(first.result).toBe('done');
    expect(subscribe(four).result).toBe('share_full');
    expect(subscribe(four.slice(0, 1)).result).toBe('done');
    expect(subscribe([makeFilter('one more', 1)]).result).toBe('share_full');
    expect(subscribe(four, 'ben').result).toBe('done');
    // In place of another, and after one left, there is room.
    const [changed] = four;
    expect(hub.subscribe(first.connection, [{ id: 's0', channels: ['d'], filter: changed }])).toBe('done');
    hub.unsubscribe(first.connection, ['s1']);
    expect(subscribe([makeFilter('more', 100)]).result).toBe('done');
    first.socket.terminate();
    expect(subscribe(four.slice(0, 3)).result).toBe('done');
  });

  test('by values of many accounts at one address', () => {
    const { subscribe } = start();
    const five = Array.from({ length: 5 }, (_, index) => makeFilter(`${index}`, 100));
    for (let account = 0; account < 10; account++) {
      expect(subscribe(five, `account ${account}`).result).toBe('done');
    }
    expect(subscribe(five, 'another').result).toBe('share_full');
    expect(subscribe(five, 'another', '198.51.100.1').result).toBe('done');
  });

  test('by values that a guest brings along when they sign in', () => {
    const { hub, subscribe } = start();
    const five = Array.from({ length: 5 }, (_, index) => makeFilter(`${index}`, 100));
    expect(subscribe(five).result).toBe('done');
    const socket = new FakeSocket();
    const guest = hub.open(socket as unknown as WebSocket, '203.0.113.9');
    expect(hub.admitGuest(guest)).toBe(true);
    expect(hub.subscribe(guest, [{ id: 's1', channels: ['c'], filter: makeFilter('guest', 1) }])).toBe(
      'done',
    );
    expect(hub.identify(guest, viewer, 'secret')).toBe(false);
  });

  test('by long texts', () => {
    const { subscribe } = start();
    const long = (key: string) => makeFilter(key, 1, 60_000);
    expect(subscribe([long('a'), long('b')]).result).toBe('done');
    expect(subscribe([long('c')]).result).toBe('share_full');
    expect(subscribe([makeFilter('short', 1)]).result).toBe('done');
  });

  test('by subscriptions on many sockets: beyond 1,000 comparisons the dearest end with a reason', () => {
    const { subscribe, announce } = start();
    const plain = (count: number) => Array<undefined>(count).fill(undefined);
    const others = Array.from({ length: 9 }, () => subscribe(plain(95)));
    const dear = subscribe([makeFilter('dear', 90), ...plain(9)]);
    const neighbour = subscribe([makeFilter('neighbour', 100)], 'ben');
    announce();
    expect(dear.socket.sent).toEqual(['event 10']);
    const one = subscribe(plain(60));
    announce();
    expect(dear.socket.sent).toEqual(['event 10', 'event 10', 'ended 1']);
    announce();
    expect(dear.socket.sent.at(-1)).toBe('event 9');
    for (const { socket } of others) expect(socket.sent).toEqual(Array(3).fill('event 95'));
    expect(one.socket.sent).toEqual(['event 60', 'event 60']);
    expect(neighbour.socket.sent).toEqual(Array(3).fill('event 1'));
  });
});
