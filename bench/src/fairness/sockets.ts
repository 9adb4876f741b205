import { WebSocket } from 'ws';

/** ms until a socket, or the reply to a frame, counts as not answered. */
export const socketTimeoutMs = 20_000;

/** A socket that the server greeted; null when it closed it before, refused it, or did not answer in time. */
export function openSocket(
  port: number,
  headers: Record<string, string>,
  timeoutMs = socketTimeoutMs,
): Promise<WebSocket | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?project=tara`, { headers });
    const timer = setTimeout(() => {
      socket.terminate();
      resolve(null);
    }, timeoutMs);
    const end = (result: WebSocket | null) => {
      clearTimeout(timer);
      resolve(result);
    };
    // A later error closes it: `sendFrames` opens another.
    socket.on('error', () => end(null));
    socket.once('close', () => end(null));
    socket.once('message', () => end(socket));
  });
}
