import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

interface UnreadLimit {
  /** Bytes a second of all callers together. */
  bytesPerSecond: number;
  /** ms after which the connection of a caller who still sends is closed. */
  mostMs: number;
}

/** How often something is read, ms. */
const everyMs = 20;

interface Unread {
  request: IncomingMessage;
  /** When its connection is closed, by `performance.now()`. */
  endsAt: number;
}

/** Whether all of it came, or nothing more will come. One that came by no connection is only ended. */
const isOver = (request: IncomingMessage) => request.complete || request.readableEnded || request.destroyed;

/**
 * Reads slowly what callers go on sending after their answer, such as the picture of a refused upload: most clients look for
 * the answer when all is sent. Node would read it as fast as it comes, for nothing. A connection that closes with its answer
 * is closed when the rest was read: the system discards an answer when more arrives at a closed connection.
 */
export function readUnreadBodies(
  app: FastifyInstance,
  { bytesPerSecond, mostMs }: UnreadLimit = { bytesPerSecond: 16 * 2 ** 20, mostMs: 60_000 },
): void {
  /** What each connection still carries; whose turn it is comes first. */
  const unread = new Map<Socket, Unread>();
  let timer: NodeJS.Timeout | undefined;

  const endReading = (socket: Socket) => {
    // What is left is in memory.
    unread.get(socket)?.request.resume();
    unread.delete(socket);
    Reflect.deleteProperty(socket, 'destroySoon');
    if (socket.writableEnded) socket.destroySoon();
  };
  const readSome = () => {
    const now = performance.now();
    let bytesLeft = (bytesPerSecond * everyMs) / 1000;
    for (const [socket, { request, endsAt }] of [...unread]) {
      if (isOver(request)) {
        endReading(socket);
      } else if (now > endsAt) {
        unread.delete(socket);
        request.destroy();
      } else if (bytesLeft > 0) {
        const chunk: Buffer | null = request.read();
        bytesLeft -= chunk?.length ?? 0;
        unread.delete(socket);
        unread.set(socket, { request, endsAt });
      }
    }
    timer = unread.size === 0 ? undefined : setTimeout(readSome, everyMs).unref();
  };

  const readSlowly = (request: IncomingMessage) => {
    const { socket } = request;
    // The body of the request before arrived whole.
    endReading(socket);
    // Whoever began to read it does so no longer.
    request.unpipe();
    request.removeAllListeners('data');
    request.pause();
    // Node reads by itself what nobody began to read.
    request.read();
    unread.set(socket, { request, endsAt: performance.now() + mostMs });
    // Node calls it with the end of an answer after which the connection closes.
    socket.destroySoon = () => socket.end();
    timer ??= setTimeout(readSome, everyMs).unref();
  };

  app.addHook('onSend', ({ raw: request }, _reply, payload, done) => {
    if (!isOver(request)) readSlowly(request);
    done(null, payload);
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}
