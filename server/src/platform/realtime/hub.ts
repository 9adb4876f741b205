import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { ResolveViewer, Viewer } from '../http/viewer.ts';
import type { Platform } from '../platform.ts';
import { closeCode } from './close-codes.ts';
import { Connection, type Payload, type Subscription } from './connection.ts';
import { leastComparisons, openShares, sharesOf } from './shares.ts';

/** ms between protocol pings; a socket that did not answer the last one is closed. */
const pingEvery = 30_000;
/** ms within which a socket whose client is gone is closed: it can have answered the ping just before. */
export const deadSocketMs = 2 * pingEvery;
/** ms a socket has to answer a close frame. */
const closeTimeoutMs = 1000;
/** ms after lost messages until the first sockets are closed: several losses at once close each socket once. */
const missedDelayMs = 1_000;
/** Sockets that are closed in each tenth of a second then: their clients come back a second later. */
const missedBatch = 500;

/** The sockets of this node, by the account that listens. */
export interface Hub {
  /** Takes a socket in; it listens to nothing yet. `ip` is its client's address. */
  open(socket: WebSocket, ip: string): Connection;
  /** Lets a socket stay that has no session. False when its address has too many of them. */
  admitGuest(connection: Connection): boolean;
  /** Binds a socket to a session. False when its account has too many sockets, or subscriptions. */
  identify(connection: Connection, viewer: Viewer, secret: string): boolean;
  /**
   * Sets subscriptions of a socket, in place of those with the same ids. Nothing is set when the socket has too many,
   * or all sockets of its account or address together compare or keep too much.
   */
  subscribe(
    connection: Connection,
    subscriptions: Iterable<Subscription>,
  ): ReturnType<Connection['subscribe']>;
  /** Ends subscriptions of a socket; returns for each whether there was one. */
  unsubscribe(connection: Connection, ids: readonly string[]): boolean[];
  /** Whether a socket would get a message of these channels now. */
  hasListener(message: Audience): boolean;
  /** Whether a socket of these accounts (null: of any) listens to a channel whose first part is one of `roots`. */
  hasListenerBelow(roots: readonly string[], accountIds: Audience['accountIds']): boolean;
  /** The accounts, as viewers, with sockets that would. */
  listeners(message: Audience): Viewer[];
  /** Sends to the sockets of accounts, or to all that have an account, what `frameFor` makes of their subscriptions. */
  deliver(message: Message): void;
  /** Sockets now open. */
  size(): number;
  /** The viewers of the sockets, each session once. */
  viewers(): Viewer[];
  /** Whether an account has a socket here. */
  listens(accountId: string): boolean;
  /** Closes the sockets that are open now, one after the other over so many ms, so that they do not all come back elsewhere at once. */
  leave(spreadMs: number): Promise<void>;
  /** Closes every socket; those that do not answer within `closeTimeoutMs` are terminated. */
  close(): Promise<void>;
}

export interface Audience {
  channels: readonly string[];
  /** Accounts that may get it; null: everyone with an account. */
  accountIds: readonly string[] | null;
  /** A further condition, checked for each socket at each message. */
  mayRead: (viewer: Viewer) => boolean;
}

export interface Message extends Audience {
  /**
   * The payload for a socket, by which its subscriptions may filter: the same object for all that get the same. Null:
   * nothing.
   */
  payloadFor: (
    viewer: Viewer,
    socket: Pick<Connection, 'numericSequence' | 'hasFileTokens'>,
  ) => Payload | null;
  /** The frame for these subscriptions; called once for each payload and different list. */
  frameFor: (payload: Payload, subscriptionIds: readonly string[]) => Buffer;
}

/** Compares one event with filters: equal ones once, and counts how much was compared for whom. */
function openComparisons() {
  const results = new Map<Payload, Map<string, boolean>>();
  const compared: { shares: Connection['shares']; comparisons: number }[] = [];
  let total = 0;
  return {
    /** Those of a socket's subscriptions that want the payload. */
    accepting(connection: Connection, ids: readonly string[], payload: Payload): readonly string[] {
      let comparisons = ids.length;
      const accepting = connection.accepting(ids, (filter) => {
        const known = results.get(payload) ?? new Map<string, boolean>();
        results.set(payload, known);
        const before = known.get(filter.key);
        if (before !== undefined) return before;
        comparisons += filter.values;
        const result = filter.accepts(payload);
        known.set(filter.key, result);
        return result;
      });
      total += comparisons;
      compared.push({ shares: connection.shares, comparisons });
      return accepting;
    },
    /** The shares that compared too much, and how much less they may compare with the next event. */
    excesses(): { key: string; excess: number }[] {
      if (total <= leastComparisons) return [];
      const counts = new Map<string, { key: string; excess: number }>();
      for (const { shares, comparisons } of compared) {
        for (const { key, limit } of shares) {
          const most = limit.comparisons ?? Number.POSITIVE_INFINITY;
          const count = counts.get(key) ?? { key, excess: -most };
          count.excess += comparisons;
          counts.set(key, count);
        }
      }
      return [...counts.values()].filter(({ excess }) => excess > 0);
    },
  };
}

interface HubOptions {
  resolveViewer: ResolveViewer;
  /** The frame that says that these subscriptions were ended because they compare too much with each event. */
  endedFrame(subscriptionIds: readonly string[]): Buffer;
}

/** Opens the hub. A session that ends takes its sockets along (`viewerChanged`). */
export function openHub(
  { bus, log, onlineAccounts }: Pick<Platform, 'bus' | 'log' | 'onlineAccounts'>,
  { resolveViewer, endedFrame }: HubOptions,
): Hub {
  const connections = new Set<Connection>();
  const byAccount = new Map<string, Set<Connection>>();
  const shares = openShares<Connection>();

  /** The sockets of an audience, each with its subscriptions to one of the channels. */
  function* listening({ channels, accountIds, mayRead }: Audience) {
    for (const id of accountIds === null ? byAccount.keys() : new Set(accountIds)) {
      for (const connection of byAccount.get(id) ?? []) {
        const ids = connection.viewer && mayRead(connection.viewer) && connection.listeningTo(channels);
        if (ids) yield [connection, ids] as const;
      }
    }
  }

  /** Takes from the shares of a socket what it has, or would have. A closed one has nothing. */
  const hold = (
    connection: Connection,
    accountId = connection.viewer?.accountId ?? null,
    size = connection.size,
  ): boolean => {
    if (!connections.has(connection)) return true;
    const shareList = sharesOf({ accountId, ip: connection.ip });
    const amounts = { members: accountId === null ? 0 : 1, guests: accountId === null ? 1 : 0, ...size };
    const isHeld = shares.hold(connection, { shares: shareList, amounts });
    if (isHeld) connection.shares = shareList;
    return isHeld;
  };

  const unsubscribe = (connection: Connection, ids: readonly string[]) => {
    const known = connection.unsubscribe(ids);
    hold(connection);
    return known;
  };

  /** Ends, of the subscriptions that an event was compared with, the dearest ones of a share, and says so. */
  const endDearest = (audience: Audience, { key, excess }: { key: string; excess: number }) => {
    const candidates = [...listening(audience)]
      .filter(([connection]) => connection.shares.some((share) => share.key === key))
      .flatMap(([connection, ids]) =>
        ids.map((id) => ({ connection, id, comparisons: connection.comparisons(id) })),
      )
      .toSorted((one, other) => other.comparisons - one.comparisons);
    let left = excess;
    const ended = candidates.filter(({ comparisons }) => {
      const isEnded = left > 0;
      if (isEnded) left -= comparisons;
      return isEnded;
    });
    for (const [connection, subscriptions] of Map.groupBy(ended, (one) => one.connection)) {
      const ids = subscriptions.map(({ id }) => id);
      unsubscribe(connection, ids);
      connection.send(endedFrame(ids));
    }
  };

  const announcePresence = ({ accountId, profileId }: Viewer, online: boolean) =>
    bus.publish('presenceChanged', { accountId, profileId, cause: 'connection', online });

  const leave = (connection: Connection) => {
    const { viewer } = connection;
    if (viewer === null) return;
    const siblings = byAccount.get(viewer.accountId);
    siblings?.delete(connection);
    if (siblings?.size === 0) {
      byAccount.delete(viewer.accountId);
      onlineAccounts.delete(viewer.accountId);
      announcePresence(viewer, false);
    }
    connection.viewer = null;
    connection.secret = null;
    connection.forget();
    shares.release(connection);
  };

  const recheck = async (connection: Connection) => {
    const { secret } = connection;
    if (secret === null) return;
    const viewer = await resolveViewer(secret);
    if (connection.secret !== secret) return connection.resume();
    if (viewer !== null) {
      connection.viewer = viewer;
      connection.resume();
    } else {
      leave(connection);
      connection.socket.close(closeCode.sessionEnded, 'The session ended');
    }
  };

  const endSubscription = bus.subscribe('viewerChanged', async ({ accountId }) => {
    const concerned = [...(byAccount.get(accountId) ?? [])];
    for (const connection of concerned) connection.hold();
    // Let every other subscriber of this message go first: the cache of viewers must be empty of the old one.
    await null;
    await Promise.all(
      concerned.map((connection) =>
        recheck(connection).catch((error: unknown) => {
          log.warn({ err: error }, 'a session could not be looked up again');
          leave(connection);
          connection.socket.close(closeCode.failed, 'Please come back');
        }),
      ),
    );
  });

  const closeSocket = async ({ socket }: Connection, code: keyof typeof closeCode, reason: string) => {
    const closed = new Promise((done) => socket.once('close', done));
    socket.close(closeCode[code], reason);
    const cutOff = setTimeout(() => socket.terminate(), closeTimeoutMs);
    await closed.finally(() => clearTimeout(cutOff));
  };
  /** Until its turn a socket gets its events. */
  const closeAll = async (spreadMs: number) => {
    const open = [...connections];
    const closing = open.map(async (connection, index) => {
      const waitMs = (index * spreadMs) / open.length;
      if (waitMs > 0) await delay(waitMs);
      if (connections.has(connection)) await closeSocket(connection, 'goingAway', 'The server goes away');
    });
    await Promise.all(closing);
  };

  /** Sockets that were open when messages of other nodes were lost. */
  let behind = new Set<Connection>();
  let catchingUp: NodeJS.Timeout | undefined;
  const closeBehind = () => {
    const batch = [...behind].slice(0, missedBatch);
    for (const connection of batch) {
      behind.delete(connection);
      void closeSocket(connection, 'eventsMissed', 'Please come back');
    }
    catchingUp = behind.size > 0 ? setTimeout(closeBehind, 100) : undefined;
  };
  const endMissed = bus.subscribe('messagesMissed', () => {
    behind = new Set(connections);
    catchingUp ??= setTimeout(closeBehind, missedDelayMs);
  });

  const pinging = setInterval(() => {
    for (const connection of connections) {
      if (!connection.alive) connection.socket.terminate();
      connection.alive = false;
      if (connection.socket.readyState === connection.socket.OPEN) connection.socket.ping();
    }
  }, pingEvery);
  pinging.unref();

  return {
    open(socket, ip) {
      const connection = new Connection(socket, ip);
      connections.add(connection);
      socket.on('pong', () => {
        connection.alive = true;
      });
      socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'));
      socket.on('close', () => {
        connections.delete(connection);
        behind.delete(connection);
        leave(connection);
        shares.release(connection);
      });
      return connection;
    },
    admitGuest: (connection) => hold(connection),
    identify(connection, viewer, secret) {
      leave(connection);
      // Closed while the session was looked up: there is nobody to bind.
      if (!connections.has(connection)) return true;
      if (!hold(connection, viewer.accountId)) return false;
      const siblings = byAccount.get(viewer.accountId) ?? new Set();
      byAccount.set(viewer.accountId, siblings.add(connection));
      connection.viewer = viewer;
      connection.secret = secret;
      if (siblings.size === 1) {
        onlineAccounts.add(viewer.accountId);
        announcePresence(viewer, true);
      }
      return true;
    },
    subscribe: (connection, subscriptions) =>
      connection.subscribe(subscriptions, (size) => hold(connection, undefined, size)),
    unsubscribe,
    hasListener: (audience) => !listening(audience).next().done,
    hasListenerBelow(roots, accountIds) {
      for (const id of accountIds ?? byAccount.keys()) {
        for (const connection of byAccount.get(id) ?? []) if (connection.listensBelow(roots)) return true;
      }
      return false;
    },
    listeners(audience) {
      const viewers = new Map<string, Viewer>();
      for (const [{ viewer }] of listening(audience)) if (viewer) viewers.set(viewer.accountId, viewer);
      return [...viewers.values()];
    },
    deliver({ payloadFor, frameFor, ...audience }) {
      const frames = new Map<Payload, Map<string, Buffer>>();
      const comparisons = openComparisons();
      for (const [connection, ids] of listening(audience)) {
        const payload = connection.viewer && payloadFor(connection.viewer, connection);
        const accepting = payload === null ? [] : comparisons.accepting(connection, ids, payload);
        if (payload === null || accepting.length === 0) continue;
        const byShape = frames.get(payload) ?? new Map<string, Buffer>();
        frames.set(payload, byShape);
        const shape = accepting.length === 1 ? (accepting[0] ?? '') : accepting.join('\n');
        const frame = byShape.get(shape) ?? frameFor(payload, accepting);
        byShape.set(shape, frame);
        connection.send(frame, audience.mayRead);
      }
      for (const share of comparisons.excesses()) endDearest(audience, share);
    },
    size: () => connections.size,
    viewers() {
      const bySession = new Map<string, Viewer>();
      for (const { viewer } of connections) if (viewer) bySession.set(viewer.sessionId, viewer);
      return [...bySession.values()];
    },
    listens: (accountId) => byAccount.has(accountId),
    leave: closeAll,
    async close() {
      endSubscription();
      endMissed();
      clearTimeout(catchingUp);
      clearInterval(pinging);
      await closeAll(0);
    },
  };
}
