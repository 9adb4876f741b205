import { connect } from 'node:net';
import { Transform } from 'node:stream';
import { connectionOptions } from '../../platform/database/address.ts';
import { type Line, openLine } from './line.ts';

/** A way to a database that can be cut: clients connect to `url`. */
export interface DatabaseLine extends Line {
  url: string;
  /** Loses what a connection sends from the next such text on; resolves when one did. */
  loseFrom(text: string): Promise<void>;
}

/** Opens a TCP proxy on a free port to a database on a port or a socket. */
export async function openDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
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
  const reach = () =>
    host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port || 5432}`) : connect(Number(port), hostname);
  const line = await openLine(reach, loser);
  const user = password ? `${username}:${password}` : username;
  return {
    ...line,
    url: `postgres://${user}@127.0.0.1:${line.port}${pathname}`,
    loseFrom: (text) => {
      losing.from = text;
      losing.begun = Promise.withResolvers<void>();
      return losing.begun.promise;
    },
  };
}
