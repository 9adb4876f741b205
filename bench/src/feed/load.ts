import { connect, type Socket } from 'node:net';
import { answerParent } from '../measure/child.ts';
import { countLatencies } from '../measure/latencies.ts';
import { secretOf } from '../world/members.ts';

/** What to send: keep-alive GETs of one path, one at a time on each connection, by so many members in turn. */
export interface Load {
  port: number;
  path: string;
  connections: number;
  members: number;
  /** ms before counting starts. */
  warmUp: number;
  /** ms of counting. */
  measured: number;
}

export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  /** Bytes of one answer's body. */
  bytes: number;
}

const headEnd = Buffer.from('\r\n\r\n');

/** Bytes of the whole answer at the beginning of `received`, once its head is there. @throws Error unless it is a 200. */
function lengthOf(received: Buffer): { head: number; body: number } | null {
  const end = received.indexOf(headEnd);
  if (end < 0) return null;
  const head = received.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`The answer was not 200:\n${head}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`The answer has no length:\n${head}`);
  return { head: end + headEnd.length, body: Number(length) };
}

/** Sends a request, waits for its whole answer, and sends the next, until told to stop. */
function keepAsking(
  socket: Socket,
  next: () => Buffer | null,
  done: (body: number, ms: number) => void,
): void {
  let received: Buffer | null = null;
  let expected = 0;
  let body = 0;
  let sentAt = 0;
  const ask = () => {
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
      const length = lengthOf(received);
      if (length === null) return;
      expected = length.head + length.body;
      body = length.body;
      missing = expected - received.length;
    } else {
      missing -= chunk.length;
    }
    if (missing > 0) return;
    done(body, performance.now() - sentAt);
    ask();
  });
  socket.once('connect', ask);
}

function run({ port, path, connections, members, warmUp, measured }: Load): Promise<LoadResult> {
  const requests = Array.from({ length: members }, (_, member) =>
    Buffer.from(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: application/json\r\ncookie: a_session_tara=${secretOf(member)}\r\n\r\n`,
    ),
  );
  const latencies = countLatencies();
  const from = performance.now() + warmUp;
  const until = from + measured;
  let sent = 0;
  let bytes = 0;
  const next = () => (performance.now() < until ? (requests[sent++ % members] ?? null) : null);
  const record = (body: number, ms: number) => {
    const now = performance.now();
    bytes = body;
    if (now >= from && now < until) latencies.record(ms);
  };
  return new Promise((done, fail) => {
    let open = connections;
    for (let index = 0; index < connections; index++) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      keepAsking(socket, next, record);
      socket.once('error', fail);
      socket.once('close', () => {
        if (performance.now() < until) fail(new Error('The server closed a connection.'));
        open -= 1;
        if (open > 0) return;
        done({
          perSecond: (latencies.count / measured) * 1000,
          p50: latencies.percentile(0.5),
          p99: latencies.percentile(0.99),
          bytes,
        });
      });
    }
  });
}

answerParent<Load, LoadResult>(run);
