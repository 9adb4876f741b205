import type { WebSocket } from 'ws';
import { addressKey, wideAddressKey } from '../http/client-address.ts';
import type { ResolveViewer, Viewer } from '../http/viewer.ts';
import type { Platform } from '../platform.ts';
import { closeCode } from './close-codes.ts';
import { Connection, type Payload } from './connection.ts';

/** Sockets of one account at once: a few devices with many tabs. */
const perAccount = 64;
/** Sockets without an account of one client's address, and of the network around it. */
const guestsPerAddress = 32;
const guestsPerNetwork = 256;
/** ms between protocol pings; a socket that did not answer the last one is closed. */
const pingEvery = 30_000;
/** ms a socket has to answer a close frame. */
const closeTimeoutMs = 1000;

/** The sockets of this node, by the account that listens. */
export interface Hub {
  /** Takes a socket in; it listens to nothing yet. `ip` is its client's address. */
  open(socket: WebSocket, ip: string): Connection;
  /** Lets a socket stay that has no session. False when its address has too many of them. */
  admitGuest(connection: Connection): boolean;
  /** Binds a socket to a session. False when its account has too many sockets. */
  identify(connection: Connection, viewer: Viewer, secret: string): boolean;
  /** Whether a socket would get a message of these channels now. */
  hasListener(message: Audience): boolean;
  /** The accounts, as viewers, with sockets that would. */
  listeners(message: Audience): Viewer[];
  /** Sends to the sockets of accounts, or to all that have an account, what `frameFor` makes of their subscriptions. */
  deliver(message: Message): void;
  /** Sockets now open. */
  size(): number;
  /** Whether an account has a socket here. */
  listens(accountId: string): boolean;
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
  payloadFor: (viewer: Viewer, socket: Pick<Connection, 'numericSequence'>) => Payload | null;
  /** The frame for these subscriptions; called once for each payload and different list. */
  frameFor: (payload: Payload, subscriptionIds: readonly string[]) => Buffer;
}

/** Counts the sockets that nobody signed in on, so that no address holds many of them. */
function guestCounts() {
  const guests = new Set<Connection>();
  const counts = new Map<string, number>();
  const keysOf = ({ ip }: Connection) =>
    [
      [`address ${addressKey(ip)}`, guestsPerAddress],
      [`network ${wideAddressKey(ip)}`, guestsPerNetwork],
    ] as const;
  return {
    add(connection: Connection): boolean {
      const keys = keysOf(connection);
      if (keys.some(([key, most]) => (counts.get(key) ?? 0) >= most)) return false;
      for (const [key] of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      guests.add(connection);
      return true;
    },
    remove(connection: Connection): void {
      if (!guests.delete(connection)) return;
      for (const [key] of keysOf(connection)) {
        const left = (counts.get(key) ?? 1) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      }
    },
  };
}

/** Opens the hub. A session that ends takes its sockets along (`viewerChanged`). */
export function openHub(
  { bus, log, onlineAccounts }: Pick<Platform, 'bus' | 'log' | 'onlineAccounts'>,
  resolveViewer: ResolveViewer,
): Hub {
  const connections = new Set<Connection>();
  const byAccount = new Map<string, Set<Connection>>();
  const guests = guestCounts();

  /** The sockets of an audience, each with its subscriptions to one of the channels. */
  function* listening({ channels, accountIds, mayRead }: Audience) {
    for (const id of accountIds === null ? byAccount.keys() : new Set(accountIds)) {
      for (const connection of byAccount.get(id) ?? []) {
        const ids = connection.viewer && mayRead(connection.viewer) && connection.listeningTo(channels);
        if (ids) yield [connection, ids] as const;
      }
    }
  }

  const announcePresence = ({ accountId, profileId }: Viewer) =>
    bus.publish('presenceChanged', { accountId, profileId, cause: 'connection' });

  const leave = (connection: Connection) => {
    const { viewer } = connection;
    if (viewer === null) return;
    const siblings = byAccount.get(viewer.accountId);
    siblings?.delete(connection);
    if (siblings?.size === 0) {
      byAccount.delete(viewer.accountId);
      onlineAccounts.delete(viewer.accountId);
      announcePresence(viewer);
    }
    connection.viewer = null;
    connection.secret = null;
    connection.forget();
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
        guests.remove(connection);
        leave(connection);
      });
      return connection;
    },
    admitGuest: (connection) => !connections.has(connection) || guests.add(connection),
    identify(connection, viewer, secret) {
      leave(connection);
      // Closed while the session was looked up: there is nobody to bind.
      if (!connections.has(connection)) return true;
      const siblings = byAccount.get(viewer.accountId) ?? new Set();
      if (siblings.size >= perAccount) return false;
      guests.remove(connection);
      byAccount.set(viewer.accountId, siblings.add(connection));
      connection.viewer = viewer;
      connection.secret = secret;
      if (siblings.size === 1) {
        onlineAccounts.add(viewer.accountId);
        announcePresence(viewer);
      }
      return true;
    },
    hasListener: (audience) => !listening(audience).next().done,
    listeners(audience) {
      const viewers = new Map<string, Viewer>();
      for (const [{ viewer }] of listening(audience)) if (viewer) viewers.set(viewer.accountId, viewer);
      return [...viewers.values()];
    },
    deliver({ payloadFor, frameFor, ...audience }) {
      const frames = new Map<Payload, Map<string, Buffer>>();
      for (const [connection, ids] of listening(audience)) {
        const payload = connection.viewer && payloadFor(connection.viewer, connection);
        const accepting = payload === null ? [] : connection.accepting(ids, payload);
        if (payload === null || accepting.length === 0) continue;
        const byShape = frames.get(payload) ?? new Map<string, Buffer>();
        frames.set(payload, byShape);
        const shape = accepting.length === 1 ? (accepting[0] ?? '') : accepting.join('\n');
        const frame = byShape.get(shape) ?? frameFor(payload, accepting);
        byShape.set(shape, frame);
        connection.send(frame, audience.mayRead);
      }
    },
    size: () => connections.size,
    listens: (accountId) => byAccount.has(accountId),
    async close() {
      endSubscription();
      clearInterval(pinging);
      const closing = [...connections].map(({ socket }) => {
        const closed = new Promise((done) => socket.once('close', done));
        socket.close(closeCode.goingAway, 'The server goes away');
        const cutOff = setTimeout(() => socket.terminate(), closeTimeoutMs);
        return closed.finally(() => clearTimeout(cutOff));
      });
      await Promise.all(closing);
    },
  };
}
