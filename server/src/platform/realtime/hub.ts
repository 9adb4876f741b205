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
/** ms between protocol pings; a socket that answered none of the last is gone. */
const pingEvery = 30_000;
/** ms a socket has to answer the goodbye. */
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
  hasListener(message: Pick<Message, 'channels' | 'accountIds' | 'mayRead'>): boolean;
  /** Sends to the sockets of accounts, or to all that have an account, what `frameFor` makes of their subscriptions. */
  deliver(message: Message): void;
  /** Sockets now open. */
  size(): number;
  /** Whether an account has a socket here. */
  listens(accountId: string): boolean;
  /** Says goodbye to every socket; those that do not answer within a second are cut off. */
  close(): Promise<void>;
}

export interface Message {
  channels: readonly string[];
  /** Accounts that may get it; null: everyone with an account. */
  accountIds: readonly string[] | null;
  /** A further condition, asked of each socket at each message. */
  mayRead: (viewer: Viewer) => boolean;
  /** What it tells of; subscriptions may filter by it. */
  payload: Payload;
  /** The frame for these subscriptions; called once for each different list. */
  frameFor: (subscriptionIds: readonly string[]) => Buffer;
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
    hasListener({ channels, accountIds, mayRead }) {
      const ids = accountIds ?? byAccount.keys();
      for (const id of ids) {
        for (const connection of byAccount.get(id) ?? []) {
          if (connection.viewer && mayRead(connection.viewer) && connection.listeningTo(channels))
            return true;
        }
      }
      return false;
    },
    deliver({ channels, accountIds, mayRead, payload, frameFor }) {
      const frames = new Map<string, Buffer>();
      const tell = (connection: Connection) => {
        const { viewer } = connection;
        const ids = viewer && mayRead(viewer) && connection.listeningTo(channels, payload);
        if (!ids) return;
        const shape = ids.length === 1 ? (ids[0] ?? '') : ids.join('\n');
        let frame = frames.get(shape);
        if (frame === undefined) {
          frame = frameFor(ids);
          frames.set(shape, frame);
        }
        connection.send(frame, mayRead);
      };
      if (accountIds === null) for (const siblings of byAccount.values()) siblings.forEach(tell);
      else for (const id of new Set(accountIds)) byAccount.get(id)?.forEach(tell);
    },
    size: () => connections.size,
    listens: (accountId) => byAccount.has(accountId),
    async close() {
      endSubscription();
      clearInterval(pinging);
      const goodbyes = [...connections].map(({ socket }) => {
        const closed = new Promise((done) => socket.once('close', done));
        socket.close(closeCode.goingAway, 'The server goes away');
        const cutOff = setTimeout(() => socket.terminate(), closeTimeoutMs);
        return closed.finally(() => clearTimeout(cutOff));
      });
      await Promise.all(goodbyes);
    },
  };
}
