import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { openBus } from '../bus.ts';
import type { Topics } from '../documents.ts';
import type { ResolveViewer, Viewer } from '../http/viewer.ts';
import { quietLog } from '../log.ts';
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
  const hub = openHub({ bus, log, onlineAccounts }, resolveViewer);
  const connect = () => {
    const socket = new FakeSocket();
    const connection = hub.open(socket as unknown as WebSocket, '203.0.113.9');
    hub.identify(connection, viewer, 'secret');
    connection.subscribe([{ id: 's1', channels: ['c'] }]);
    return { socket, connection };
  };
  const deliver = (body: string) =>
    hub.deliver({
      ...{ channels: ['c'], accountIds: ['ana'] },
      mayRead: () => true,
      payloadFor: () => payload,
      frameFor: () => Buffer.from(body),
    });
  return { bus, hub, onlineAccounts, connect, deliver };
}

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }),
);

describe('heartbeats', () => {
  test('cut off a socket that answered none for a minute, and keep one that does', () => {
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

  test('while its session is looked up', async () => {
    const lookup = Promise.withResolvers<Viewer | null>();
    const { bus, connect, deliver } = start(() => lookup.promise);
    const [busy, idle] = [connect(), connect()];
    idle.connection.subscribe([{ id: 's1', channels: ['other'] }]);
    bus.publish('viewerChanged', { accountId: 'ana' });
    await null;
    for (let sent = 0; sent < 3; sent++) deliver('x'.repeat(300_000));
    expect(busy.socket.isCutOff).toBe(false);
    deliver('x'.repeat(300_000));
    expect(busy.socket).toMatchObject({ isCutOff: true, sent: [] });
    idle.connection.send(Buffer.from('waits'));
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
