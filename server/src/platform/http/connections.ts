import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './client-address.ts';

interface Connection {
  socket: Socket;
  /** The key of its address. */
  key: string;
  requestsUnderWay: number;
}

/**
 * Lets a server have at most about `most` connections (an eighth more while others are closed), and nobody use them up: one
 * that comes beyond that is taken in place of one without a request under way, of the address that has the most of these
 * and the one that waits longest. Only where none waits the new one is closed. Sockets of the realtime channel do not
 * wait; they have limits of their own.
 */
export function shareConnections(server: Server, most: number): void {
  if (!Number.isFinite(most)) return;
  server.maxConnections = most + Math.ceil(most / 8);
  const open = new Map<Socket, Connection>();
  /** By the key of their address; the one that waits longest is first. */
  const waiting = new Map<string, Set<Connection>>();
  const beginWaiting = (connection: Connection) => {
    const sameAddress = waiting.get(connection.key) ?? new Set();
    waiting.set(connection.key, sameAddress.add(connection));
  };
  const endWaiting = (connection: Connection) => {
    const sameAddress = waiting.get(connection.key);
    sameAddress?.delete(connection);
    if (sameAddress?.size === 0) waiting.delete(connection.key);
  };
  const closeOne = () => {
    let largest: ReadonlySet<Connection> = new Set();
    for (const connections of waiting.values()) if (connections.size > largest.size) largest = connections;
    const [connection] = largest;
    if (connection === undefined) return;
    endWaiting(connection);
    connection.socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    const connection = { socket, key: addressKey(socket.remoteAddress ?? ''), requestsUnderWay: 0 };
    open.set(socket, connection);
    beginWaiting(connection);
    socket.once('close', () => {
      open.delete(socket);
      endWaiting(connection);
    });
    if (open.size > most) closeOne();
  });
  server.on('request', ({ socket }, response) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.requestsUnderWay++;
    endWaiting(connection);
    response.once('close', () => {
      connection.requestsUnderWay--;
      if (connection.requestsUnderWay === 0 && open.has(socket)) beginWaiting(connection);
    });
  });
  server.once('listening', () => {
    // With a listener Node leaves all upgrades to it: only where something else answers them.
    if (server.listenerCount('upgrade') === 0) return;
    server.on('upgrade', ({ socket }) => {
      const connection = open.get(socket);
      if (connection) endWaiting(connection);
    });
  });
}
