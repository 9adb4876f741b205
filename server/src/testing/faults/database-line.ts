import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connectionOptions } from '../../platform/database/address.ts';

/** A way to a database that can be cut: clients connect to `url`. */
export interface DatabaseLine {
  url: string;
  /** Ends every connection, and refuses new ones until `join`. */
  cut(): void;
  /** Refuses new connections until `join`; those that are open stay. */
  refuse(): void;
  join(): Promise<void>;
}

/** Opens a TCP proxy on a free port to a database on a port or a socket. */
export async function openDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const open = new Set<Socket>();
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const { host } = connectionOptions(databaseUrl);
  const proxy = createServer((near) => {
    const far = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port || 5432}`)
      : connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
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
  };
}
