import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { conversations } from '@tara/contract/messages/conversations';
import type { ChatKind } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { channel } from '@tara/contract/wire/realtime';
import { WebSocket } from 'ws';
import type { Chat } from '../setup/chats.ts';
import { sessionSecret } from '../setup/members.ts';

/** Connections by which members send messages to their partners. */
export interface Connection {
  /** Sends message `number` of a member. */
  send(member: number, number: number): void;
}

/** Called with the number of each message that a member receives. */
type OnReceived = (member: number, number: number) => void;

const bodyStart = Buffer.from('"body":"message ');
const messageText = (number: number) => `message ${number}: see you at the shore at five, bring a hat`;

/** The number of the message in a frame, or null. Parsing whole frames would make the load generator too slow. */
function messageNumber(frame: Buffer): number | null {
  const index = frame.indexOf(bodyStart);
  return index < 0
    ? null
    : Number.parseInt(frame.toString('latin1', index + bodyStart.length, index + bodyStart.length + 10), 10);
}

async function listen(url: string, headers: Record<string, string>, onMessage: (number: number) => void) {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  socket.on('message', (data) => {
    const number = Buffer.isBuffer(data) ? messageNumber(data) : null;
    if (number !== null) onMessage(number);
  });
  await once(socket, 'open');
  return socket;
}

/**
 * Posts bodies one after the other over a keep-alive connection. It reconnects when the server has closed an idle
 * connection, as a browser does.
 */
function createPoster(port: number, path: string, cookie: string): (body: string) => void {
  const queue: string[] = [];
  let socket: Socket | null = null;
  let busy = false;
  let response = '';
  const next = () => {
    const body = queue.shift();
    busy = body !== undefined;
    if (body === undefined) return;
    socket ??= open();
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncookie: ${cookie}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  const open = () => {
    const connection = connect({ port, host: '127.0.0.1', noDelay: true });
    connection.on('data', (chunk: Buffer) => {
      response += chunk.toString('latin1');
      const end = response.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(response)?.[1]);
      if (response.length < end + 4 + length) return;
      if (!response.startsWith('HTTP/1.1 200')) throw new Error(`A message was refused:\n${response}`);
      response = '';
      next();
    });
    connection.once('close', () => {
      if (busy) throw new Error('The server closed a connection before it replied.');
      socket = null;
    });
    return connection;
  };
  return (body) => {
    queue.push(body);
    if (!busy) next();
  };
}

/** How a message is sent to a chat, and where its members listen. */
const sending = {
  receipt: {
    path: receipts.sendMessage.path,
    collection: 'conversationReceipts',
    body: (conversation: string, message: string) => ({ conversation, message }),
  },
  conversation: {
    path: conversations.sendMessage.path,
    collection: 'conversations',
    body: (convoId: string, body: string) => ({ convoId, body }),
  },
} as const satisfies Record<ChatKind, object>;

/** Connects to Tara: each member sends by HTTP and receives by a realtime socket. */
export async function connectToTara(
  port: number,
  chats: readonly Chat[],
  onReceived: OnReceived,
): Promise<Connection> {
  const senders = new Map<number, (text: string, clientKey: string) => void>();
  for (const { id, kind, members } of chats) {
    const { path, collection, body } = sending[kind];
    for (const member of members) {
      const cookie = `a_session_tara=${sessionSecret(member)}`;
      const query = `project=tara&channels[]=${channel.document(collection, id)}`;
      const socket = await listen(`ws://127.0.0.1:${port}/v1/realtime?${query}`, { cookie }, (number) =>
        onReceived(member, number),
      );
      socket.once('close', (code, reason) => {
        throw new Error(`A realtime socket was closed: ${code} ${reason}`);
      });
      const post = createPoster(port, path, cookie);
      senders.set(member, (text, clientKey) => post(JSON.stringify({ ...body(id, text), clientKey })));
    }
  }
  return {
    send(member, number) {
      senders.get(member)?.(messageText(number), `message-${number}`);
    },
  };
}

/** Connects to the baseline relay: each member sends and receives by one socket. */
export async function connectToRelay(
  port: number,
  chats: readonly Chat[],
  onReceived: OnReceived,
): Promise<Connection> {
  const senders = new Map<number, { chat: string; socket: WebSocket }>();
  for (const { id, members } of chats) {
    for (const member of members) {
      const socket = await listen(`ws://127.0.0.1:${port}/?member=${member}`, {}, (number) =>
        onReceived(member, number),
      );
      senders.set(member, { chat: id, socket });
    }
  }
  return {
    send(member, number) {
      const sender = senders.get(member);
      sender?.socket.send(
        JSON.stringify({ chat: sender.chat, body: messageText(number), clientKey: `message-${number}` }),
      );
    },
  };
}
