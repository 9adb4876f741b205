import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { connectionOptions } from '../../platform/database/address.ts';

/** A way to a database that can be cut: clients connect to `url`. */
export interface DatabaseLine {
  url: string;
  /** Ends every connection, and refuses new ones until `join`. */
  cut(): void;
  /** Refuses new connections until `join`; those that are open stay. */
  refuse(): void;
  join(): Promise<void>;
  /** Loses what a connection sends from the next such text on; resolves when one did. */
  loseFrom(text: string): Promise<void>;
}

/** Opens a TCP proxy on a free port to a database on a port or a socket. */
export async function openDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const open = new Set<Socket>();
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const { host } = connectionOptions(databaseUrl);
  const losing = { from: '', begun: Promise.withResolvers<void>() };
  /** A part of the way from a client to the database. */
  const loser = () => {
    let isLost = false;
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        if (losing.from !== '' && chunk.includes(losing.from)) {
          isLost = true;
          losing.from = '';
          losing.begun.resolve();
        }
        done(null, isLost ? undefined : chunk);
      },
    });
  };
  const proxy = createServer((near) => {
    const far = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port || 5432}`)
      : connect(Number(port), hostname);
    near.pipe(loser()).pipe(far);
    far.pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  const listen = (port: number) => new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done));
  await listen(0);
  const own = (proxy.address() as AddressInfo).port;
  const user = password ? `${username}:${password}` : username;
  return {
    url: `postgres://${user}@127.0.0.1:${own}${pathname}`,
    cut: () => {
      proxy.close();
      for (const socket of open) socket.destroy();
    },
    refuse: () => void proxy.close(),
    join: () => listen(own),
    loseFrom: (text) => {
      losing.from = text;
      losing.begun = Promise.withResolvers<void>();
      return losing.begun.promise;
    },
  };
}
