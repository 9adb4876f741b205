import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { channel } from '@tara/contract/wire/realtime';
import { WebSocket } from 'ws';
import { type Connection, connectToTara } from '../chat/connections.ts';
import { serveParent } from '../measure/child.ts';
import { countLatencies, median } from '../measure/latencies.ts';
import type { Chat } from '../setup/chats.ts';
import { sessionSecret } from '../setup/members.ts';

/** Either connects the members of chats, or sends messages in them beside a number of further connections. */
export type IdleLoad =
  | { open: Chat[]; port: number }
  | { connections: number; batches: number; messages: number };

export interface IdleResult {
  /** Connections open, those of the chats among them. */
  connections: number;
  /** Time from sending a message to receiving it, in ms: the median of the quickest batch, for other load only adds. */
  p50: number;
  p99: number;
}

/** Connections opened at once. */
const concurrency = 25;
/** Time for the server to notice what was closed. */
const settleMs = 1_000;
const receiveTimeoutMs = 5_000;
/** How often, and after how long, a busy server is tried again. */
const maxTries = 60;
const retryMs = 500;

let port = 0;
let chats: Chat[] = [];
let connection: Connection | null = null;
let sent = 0;
let onReceived = (_member: number, _number: number) => {};
const idle: WebSocket[] = [];

/** Connects a member as the web does: three subscriptions by one message. */
async function connectIdle(member: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime`, {
    headers: { cookie: `a_session_tara=${sessionSecret(member)}` },
    perMessageDeflate: false,
  });
  await once(socket, 'message');
  const channels = [
    'account',
    channel.document('conversationOwners', `${member}`),
    channel.collection('posts'),
  ];
  const data = channels.map((name, index) => ({ subscriptionId: `${index}`, channels: [name] }));
  socket.send(JSON.stringify({ type: 'subscribe', data }));
  const [reply] = await once(socket, 'message');
  if (!String(reply).includes('"success":true')) throw new Error(`A subscription was refused: ${reply}`);
  socket.once('close', (code) => {
    if (code !== 1000) throw new Error(`An idle connection was closed: ${code}`);
  });
  return socket;
}

/** Waits until the server takes requests: a busy machine makes it refuse some. */
async function waitUntilReady(): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    if ((await fetch(`http://127.0.0.1:${port}/readyz`)).ok) return;
    await delay(retryMs);
  }
  throw new Error('The server is too busy to take connections.');
}

/** Opens or closes connections until there are this many beside those of the chats. */
async function keepIdle(count: number): Promise<void> {
  const firstMember = chats.length * 2;
  while (idle.length < count) {
    await waitUntilReady();
    const size = Math.min(concurrency, count - idle.length);
    const members = Array.from({ length: size }, (_, index) => firstMember + idle.length + index);
    idle.push(...(await Promise.all(members.map(connectIdle))));
  }
  const closing = idle.splice(count);
  await Promise.all(
    closing.map((socket) => {
      socket.close(1000);
      return once(socket, 'close');
    }),
  );
  await delay(settleMs);
}

/** Sends one message to the other member of a chat and returns how long it took, in ms. */
async function deliver({ members: [from, to] }: Chat): Promise<number> {
  const number = ++sent;
  const received = Promise.withResolvers<void>();
  onReceived = (member, receivedNumber) => {
    if (member === to && receivedNumber === number) received.resolve();
  };
  const timer = setTimeout(() => received.reject(new Error('A message did not arrive.')), receiveTimeoutMs);
  const startedAt = performance.now();
  connection?.send(from, number);
  await received.promise;
  clearTimeout(timer);
  return performance.now() - startedAt;
}

serveParent<IdleLoad, IdleResult>(async (request) => {
  const latencies = countLatencies();
  const medians: number[] = [];
  if ('open' in request) {
    port = request.port;
    chats = request.open;
    await waitUntilReady();
    connection = await connectToTara(port, chats, (member, number) => onReceived(member, number));
  } else {
    await keepIdle(request.connections);
    for (let batch = 0; batch < request.batches; batch++) {
      const times: number[] = [];
      for (let index = 0; index < request.messages; index++) {
        const chat = chats[index % chats.length];
        if (chat) times.push(await deliver(chat));
      }
      for (const ms of times) latencies.record(ms);
      medians.push(median(times));
    }
  }
  return {
    connections: chats.length * 2 + idle.length,
    p50: Math.min(...medians),
    p99: latencies.percentile(0.99),
  };
});
