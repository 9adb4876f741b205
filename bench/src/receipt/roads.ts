import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { channel } from '@tara/contract/realtime';
import { receipts } from '@tara/contract/receipts';
import { WebSocket } from 'ws';
import type { Chat } from '../world/chats.ts';
import { secretOf } from '../world/members.ts';

/** A way for members to write to their partners: `send` is told the member and the message's number. */
export interface Road {
  send(member: number, number: number): void;
}

/** Told of each message that reached a member: its number. */
type Received = (member: number, number: number) => void;

const mark = Buffer.from('"body":"message ');
const wordsOf = (number: number) => `message ${number}: see you at the shore at five, bring a hat`;

/** The number in a frame that carries a message, or null. Parsing whole frames would cost the generator its calm. */
function numberIn(frame: Buffer): number | null {
  const index = frame.indexOf(mark);
  return index < 0
    ? null
    : Number.parseInt(frame.toString('latin1', index + mark.length, index + mark.length + 10), 10);
}

async function listen(url: string, headers: Record<string, string>, onMessage: (number: number) => void) {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  socket.on('message', (data) => {
    const number = Buffer.isBuffer(data) ? numberIn(data) : null;
    if (number !== null) onMessage(number);
  });
  await once(socket, 'open');
  return socket;
}

/**
 * Posts one body after the other over a keep-alive connection, as a browser does: one that the server closed, having
 * heard nothing for a while, is opened again.
 */
function poster(port: number, path: string, cookie: string): (body: string) => void {
  const waiting: string[] = [];
  let socket: Socket | null = null;
  let busy = false;
  let answer = '';
  const next = () => {
    const body = waiting.shift();
    busy = body !== undefined;
    if (body === undefined) return;
    socket ??= open();
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncookie: ${cookie}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  const open = () => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    opened.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(answer)?.[1]);
      if (answer.length < end + 4 + length) return;
      if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`A message was refused:\n${answer}`);
      answer = '';
      next();
    });
    opened.once('close', () => {
      if (busy) throw new Error('The server closed a connection before it answered.');
      socket = null;
    });
    return opened;
  };
  return (body) => {
    waiting.push(body);
    if (!busy) next();
  };
}

/** The product's: sends by HTTP, receives by the realtime socket; every member has one of each. */
export async function taraRoad(port: number, chats: readonly Chat[], received: Received): Promise<Road> {
  const senders = new Map<number, { chat: string; post: (body: string) => void }>();
  for (const { id, members } of chats) {
    for (const member of members) {
      const cookie = `a_session_tara=${secretOf(member)}`;
      const query = `project=tara&channels[]=${channel.document('conversationReceipts', id)}`;
      const socket = await listen(`ws://127.0.0.1:${port}/v1/realtime?${query}`, { cookie }, (number) =>
        received(member, number),
      );
      socket.once('close', (code, why) => {
        throw new Error(`A realtime socket was closed: ${code} ${why}`);
      });
      senders.set(member, { chat: id, post: poster(port, receipts.sendMessage.path, cookie) });
    }
  }
  return {
    send(member, number) {
      const sender = senders.get(member);
      sender?.post(
        JSON.stringify({
          conversation: sender.chat,
          message: wordsOf(number),
          clientKey: `message-${number}`,
        }),
      );
    },
  };
}

/** The bare relay's: sends and receives by one socket per member. */
export async function bareRoad(port: number, chats: readonly Chat[], received: Received): Promise<Road> {
  const senders = new Map<number, { chat: string; socket: WebSocket }>();
  for (const { id, members } of chats) {
    for (const member of members) {
      const socket = await listen(`ws://127.0.0.1:${port}/?member=${member}`, {}, (number) =>
        received(member, number),
      );
      senders.set(member, { chat: id, socket });
    }
  }
  return {
    send(member, number) {
      const sender = senders.get(member);
      sender?.socket.send(
        JSON.stringify({ chat: sender.chat, body: wordsOf(number), clientKey: `message-${number}` }),
      );
    },
  };
}
