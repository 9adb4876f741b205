import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

interface UnreadLimit {
  /** Bytes a second of all callers together. */
  bytesPerSecond: number;
  /** ms after which the connection of a caller who still sends is closed. */
  mostMs: number;
}

/** How often something is read, ms. */
const everyMs = 20;

/** Whether all of it came, or nothing more will come. One that came by no connection is only ended. */
const isOver = (request: IncomingMessage) => request.complete || request.readableEnded || request.destroyed;

/**
 * Reads slowly what callers go on sending after their answer, such as the picture of a refused upload: most clients look for
 * the answer when all is sent. Node would read it as fast as it comes, for nothing.
 */
export function readUnreadBodies(
  app: FastifyInstance,
  { bytesPerSecond, mostMs }: UnreadLimit = { bytesPerSecond: 16 * 2 ** 20, mostMs: 10_000 },
): void {
  /** Until when each is read; whose turn it is comes first. */
  const unread = new Map<IncomingMessage, number>();
  let timer: NodeJS.Timeout | undefined;

  const readSome = () => {
    const now = performance.now();
    let bytesLeft = (bytesPerSecond * everyMs) / 1000;
    for (const [request, endsAt] of [...unread]) {
      if (isOver(request)) {
        // What is left is in memory, and the connection is good for its next request.
        unread.delete(request);
        request.resume();
      } else if (now > endsAt) {
        unread.delete(request);
        request.socket.destroy();
      } else if (bytesLeft > 0) {
        const chunk: Buffer | null = request.read();
        bytesLeft -= chunk?.length ?? 0;
        unread.delete(request);
        unread.set(request, endsAt);
      }
    }
    timer = unread.size === 0 ? undefined : setTimeout(readSome, everyMs).unref();
  };

  app.addHook('onSend', async ({ raw: request }) => {
    if (isOver(request)) return;
    // Whoever began to read it does so no longer.
    request.unpipe();
    request.removeAllListeners('data');
    request.pause();
    // Node reads by itself what nobody began to read.
    request.read();
    unread.set(request, performance.now() + mostMs);
    timer ??= setTimeout(readSome, everyMs).unref();
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}
