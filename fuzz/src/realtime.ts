import { collectionIds } from '@tara/contract/wire/documents';
import { WebSocket } from 'ws';
import { type Owner, privateFault } from './checks/private.ts';
import { parseJson } from './checks/problem.ts';
import type { Fault } from './checks/reply.ts';
import { listensToEvents } from './inputs/frames.ts';
import type { FrameInput } from './inputs/input.ts';
import { writeJson } from './values/value.ts';
import type { Actor } from './world/actors.ts';

/** The result of one frame, on all its sockets. */
export interface SocketSent {
  /** Whether the frame was answered by an error, or the socket closed. */
  refused: boolean;
  ms: number;
  fault: Fault | null;
}

const timeoutMs = 15_000;
/** Close codes that a server may use; 1011 would be an error of its own. */
const orderlyCloses = [1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1013, 4401];
const frameTypes = ['connected', 'response', 'error', 'event', 'pong'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The fault of a frame that the server sent, or null. */
function frameFault(text: string, reader: Owner | null, owners: readonly Owner[]): Fault | null {
  const json = parseJson(text);
  if (!isRecord(json) || !frameTypes.includes(String(json.type)))
    return { kind: 'shape', detail: `a frame that the protocol does not know: ${text.slice(0, 200)}` };
  if (json.type === 'error' && text.length > 2_000)
    return { kind: 'shape', detail: `an error frame of ${text.length} characters` };
  const detail = privateFault(text, json, reader, owners);
  return detail === null ? null : { kind: 'leak', detail: `a frame with ${detail}` };
}

function open(port: number, { session }: Pick<Actor, 'session'>, address: string): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${port}/v1/realtime${address}`, {
    headers: session === null ? {} : { 'x-appwrite-session': session },
    perMessageDeflate: false,
  });
}

/** One socket that sends the frames of an input. */
interface InputSocket {
  refused: boolean;
  fault: Fault | null;
  /** Resolves at the next pong or at the end of the socket. */
  pong(): Promise<void>;
  ping(): void;
  close(): void;
}

/** Opens a socket that sends the frame, and a ping after it, as soon as it is connected. */
function openInputSocket(
  port: number,
  { frame, address, binary, times }: FrameInput,
  actor: Actor,
  owners: readonly Owner[],
): InputSocket {
  const text = frame === null ? null : writeJson(frame);
  let socket: WebSocket | undefined;
  let isOver = false;
  let waiting = Promise.withResolvers<void>();
  const over = () => {
    isOver = true;
    waiting.resolve();
  };
  const one: InputSocket = {
    refused: false,
    fault: null,
    async pong() {
      if (isOver) return;
      const timer = setTimeout(() => {
        one.fault ??= { kind: 'status', detail: `no answer within ${timeoutMs / 1000} s` };
        over();
      }, timeoutMs);
      await waiting.promise;
      clearTimeout(timer);
      waiting = Promise.withResolvers();
    },
    ping: () => socket?.send('{"type":"ping"}'),
    close() {
      socket?.removeAllListeners();
      socket?.on('error', () => {});
      socket?.terminate();
    },
  };
  const refuse = () => {
    one.refused = true;
    over();
  };
  try {
    socket = open(port, actor, address);
  } catch {
    over();
    return one;
  }
  socket.on('unexpected-response', (_request, response) => {
    const status = response.statusCode ?? 0;
    if (status >= 500) one.fault = { kind: 'status', detail: `the upgrade was answered ${status}` };
    refuse();
  });
  socket.on('error', refuse);
  socket.on('close', (code) => {
    if (!orderlyCloses.includes(code))
      one.fault = { kind: 'status', detail: `the socket was closed with ${code}` };
    refuse();
  });
  socket.on('message', (data) => {
    const message = String(data);
    one.fault ??= frameFault(message, actor.owner, owners);
    if (message.startsWith('{"type":"error"')) one.refused = true;
    if (message.startsWith('{"type":"connected"')) {
      for (let time = 0; text !== null && time < times; time++)
        socket?.send(binary ? Buffer.from(text) : text, { binary });
      one.ping();
    }
    if (message.startsWith('{"type":"pong"')) waiting.resolve();
  });
  return one;
}

/**
 * Opens the sockets of an input, sends its frame on each and waits for their pongs. While they listen to events, one is
 * made: what the input subscribed to is compared with it.
 */
export async function sendFrame(
  port: number,
  input: FrameInput,
  actor: Actor,
  { owners, makeEvent }: { owners: readonly Owner[]; makeEvent: () => Promise<void> },
): Promise<SocketSent> {
  const began = performance.now();
  const sockets = Array.from({ length: input.sockets }, () => openInputSocket(port, input, actor, owners));
  const answered = () => Promise.all(sockets.map((socket) => socket.pong()));
  await answered();
  // A subscription that ends because of the event was not refused.
  const refused = sockets.some((socket) => socket.refused);
  if (!refused && listensToEvents(input)) {
    await makeEvent();
    for (const socket of sockets) socket.ping();
    await answered();
  }
  for (const socket of sockets) socket.close();
  const fault = sockets.find((socket) => socket.fault !== null)?.fault ?? null;
  return { refused, ms: performance.now() - began, fault };
}

/** Sockets that are subscribed to every channel while inputs are sent. */
export interface Listeners {
  /** Events that reached somebody who may not see them; empties the list. */
  faults(): { actor: Actor; fault: Fault }[];
  close(): void;
}

const everything = [
  'documents',
  'files',
  'account',
  ...collectionIds.map((collection) => `databases.tara.collections.${collection}.documents`),
];

/** Opens one for each actor. A socket whose session ends is closed. */
export function listen(port: number, actors: readonly Actor[], owners: readonly Owner[]): Listeners {
  const faults: { actor: Actor; fault: Fault }[] = [];
  const address = `?${everything.map((channel) => `channels[]=${channel}`).join('&')}`;
  const sockets = actors.map((actor) => {
    const socket = open(port, actor, address);
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const fault = frameFault(String(data), actor.owner, owners);
      if (fault) faults.push({ actor, fault });
    });
    return socket;
  });
  return {
    faults: () => faults.splice(0),
    close: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}
