import { Agent, request } from 'node:http';
import type { Answer } from './checks/reply.ts';
import { bodyBytes, type HttpInput, requestTarget } from './inputs/input.ts';

/** A reply and its duration; `answer` is null when there was none. */
export interface Sent {
  answer: Answer | null;
  ms: number;
  /** Why there is no answer: what was sent is not HTTP, the connection was closed, or nothing came in time. */
  missing?: 'unsendable' | 'closed' | 'timeout';
}

const timeoutMs = 15_000;
const mostBytes = 8 * 1024 * 1024;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends one request unchanged over the loopback interface. */
export function sendHttp(port: number, input: HttpInput, session: string | null): Promise<Sent> {
  const began = performance.now();
  const bytes = bodyBytes(input.body);
  const since = () => performance.now() - began;
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish({ answer: null, ms: since(), missing: 'timeout' }), timeoutMs);
    const finish = (sent: Sent) => {
      clearTimeout(timer);
      resolve(sent);
      outgoing?.destroy();
    };
    let outgoing: ReturnType<typeof request> | undefined;
    try {
      outgoing = request({
        host: '127.0.0.1',
        port,
        // A request that fails must not break a later one on the same connection.
        agent: input.closesEarly === true || input.headers['transfer-encoding'] !== undefined ? false : agent,
        method: input.method,
        path: requestTarget(input),
        headers: {
          ...(session === null ? {} : { 'x-appwrite-session': session }),
          ...(bytes === null || input.headers['transfer-encoding'] !== undefined
            ? {}
            : { 'content-length': String(bytes.length) }),
          ...input.headers,
        },
      });
    } catch {
      // Node refuses to send invalid HTTP.
      return finish({ answer: null, ms: 0, missing: 'unsendable' });
    }
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= mostBytes) chunks.push(chunk);
      });
      response.on('end', () => {
        clearTimeout(timer);
        resolve({
          answer: {
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          },
          ms: since(),
        });
      });
      response.on('error', () => finish({ answer: null, ms: since(), missing: 'closed' }));
    });
    outgoing.on('error', () => {
      clearTimeout(timer);
      resolve({ answer: null, ms: since(), missing: 'closed' });
    });
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy();
      finish({ answer: null, ms: since(), missing: 'closed' });
    });
    if (input.closesEarly && bytes !== null) {
      outgoing.write(bytes.subarray(0, bytes.length >> 1), () => {
        finish({ answer: null, ms: since(), missing: 'unsendable' });
      });
    } else outgoing.end(bytes ?? undefined);
  });
}

/** Closes the keep-alive connections. */
export const closeConnections = () => agent.destroy();
