import { connect, type Socket } from 'node:net';
import { serveParent } from '../measure/child.ts';
import { countLatencies } from '../measure/latencies.ts';
import { sessionSecret } from '../setup/members.ts';

/** Keep-alive GETs of one path, one at a time on each connection, by members in turn. */
export interface Load {
  port: number;
  paths: readonly string[];
  connections: number;
  /** Number of the first member, and how many there are. */
  firstMember: number;
  members: number;
  /** Time before counting starts. */
  warmUpMs: number;
  /** Time of counting. */
  measuredMs: number;
}

export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  /** Size of one response's body in bytes. */
  bytes: number;
}

const headEnd = Buffer.from('\r\n\r\n');

/** The size of the response that begins in `received`, or null until its head is complete. @throws Error unless it is a 200. */
function responseSize(received: Buffer): { head: number; body: number } | null {
  const end = received.indexOf(headEnd);
  if (end < 0) return null;
  const head = received.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`The response was not 200:\n${head}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`The response has no content-length:\n${head}`);
  return { head: end + headEnd.length, body: Number(length) };
}

/** Sends requests one after the other on a connection until `next` returns null. */
function sendRequests(
  socket: Socket,
  next: () => Buffer | null,
  done: (body: number, ms: number) => void,
): void {
  let received: Buffer | null = null;
  let expected = 0;
  let body = 0;
  let sentAt = 0;
  const send = () => {
    const request = next();
    if (request === null) return void socket.destroy();
    received = null;
    expected = 0;
    sentAt = performance.now();
    socket.write(request);
  };
  let missing = 0;
  socket.on('data', (chunk: Buffer) => {
    if (expected === 0) {
      received = received === null ? chunk : Buffer.concat([received, chunk]);
      const length = responseSize(received);
      if (length === null) return;
      expected = length.head + length.body;
      body = length.body;
      missing = expected - received.length;
    } else {
      missing -= chunk.length;
    }
    if (missing > 0) return;
    done(body, performance.now() - sentAt);
    send();
  });
  socket.once('connect', send);
}

function run({
  port,
  paths,
  connections,
  firstMember,
  members,
  warmUpMs,
  measuredMs,
}: Load): Promise<LoadResult> {
  const requests = Array.from({ length: Math.max(members, paths.length) }, (_, index) =>
    Buffer.from(
      `GET ${paths[index % paths.length]} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: application/json\r\ncookie: a_session_tara=${sessionSecret(firstMember + (index % members))}\r\n\r\n`,
    ),
  );
  const latencies = countLatencies();
  const from = performance.now() + warmUpMs;
  const until = from + measuredMs;
  let sent = 0;
  let bytes = 0;
  const next = () => (performance.now() < until ? (requests[sent++ % requests.length] ?? null) : null);
  const record = (body: number, ms: number) => {
    const now = performance.now();
    bytes = body;
    if (now >= from && now < until) latencies.record(ms);
  };
  return new Promise((done, fail) => {
    let open = connections;
    for (let index = 0; index < connections; index++) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      sendRequests(socket, next, record);
      socket.once('error', fail);
      socket.once('close', () => {
        if (performance.now() < until) fail(new Error('The server closed a connection.'));
        open -= 1;
        if (open > 0) return;
        done({
          perSecond: (latencies.count / measuredMs) * 1000,
          p50: latencies.percentile(0.5),
          p99: latencies.percentile(0.99),
          bytes,
        });
      });
    }
  });
}

serveParent<Load, LoadResult>(run);
