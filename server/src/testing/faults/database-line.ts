import { connect } from 'node:net';
import { connectionOptions } from '../../platform/database/address.ts';
import { type Line, openLine } from './line.ts';

/** A way to a database that can be cut: clients connect to `url`. */
export interface DatabaseLine extends Line {
  url: string;
}

/** Opens a TCP proxy on a free port to a database on a port or a socket. */
export async function openDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const { host } = connectionOptions(databaseUrl);
  const line = await openLine(() =>
    host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port || 5432}`) : connect(Number(port), hostname),
  );
  const user = password ? `${username}:${password}` : username;
  return { ...line, url: `postgres://${user}@127.0.0.1:${line.port}${pathname}` };
}
