import { collectionIds } from '@tara/contract/documents';
import { WebSocket } from 'ws';
import { type Owner, privateFault } from './checks/private.ts';
import { parseJson } from './checks/problem.ts';
import type { Fault } from './checks/reply.ts';
import type { FrameInput } from './inputs/input.ts';
import { writeJson } from './values/value.ts';
import type { Actor } from './world/actors.ts';

/** The result of one frame. */
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

/** Opens a socket, sends the frame and a ping after it, and waits for the pong or the end. */
export function sendFrame(
  port: number,
  input: FrameInput,
  actor: Actor,
  owners: readonly Owner[],
): Promise<SocketSent> {
  const began = performance.now();
  const text = input.frame === null ? null : writeJson(input.frame);
  return new Promise((resolve) => {
    let fault: Fault | null = null;
    let refused = false;
    let socket: WebSocket | undefined;
    const finish = () => {
      clearTimeout(timer);
      socket?.removeAllListeners();
      socket?.on('error', () => {});
      socket?.terminate();
      resolve({ refused, ms: performance.now() - began, fault });
    };
    const timer = setTimeout(() => {
      fault = { kind: 'status', detail: `no answer within ${timeoutMs / 1000} s` };
      finish();
    }, timeoutMs);
    try {
      socket = open(port, actor, input.address);
    } catch {
      return finish();
    }
    socket.on('unexpected-response', (_request, response) => {
      refused = true;
      const status = response.statusCode ?? 0;
      if (status >= 500) fault = { kind: 'status', detail: `the upgrade was answered ${status}` };
      finish();
    });
    socket.on('error', () => {
      refused = true;
      finish();
    });
    socket.on('close', (code) => {
      refused = true;
      if (!orderlyCloses.includes(code))
        fault = { kind: 'status', detail: `the socket was closed with ${code}` };
      finish();
    });
    socket.on('message', (data) => {
      const message = String(data);
      fault ??= frameFault(message, actor.owner, owners);
      if (message.startsWith('{"type":"error"')) refused = true;
      if (message.startsWith('{"type":"connected"')) {
        for (let time = 0; text !== null && time < input.times; time++)
          socket?.send(input.binary ? Buffer.from(text) : text, { binary: input.binary });
        socket?.send('{"type":"ping"}');
      }
      if (message.startsWith('{"type":"pong"')) finish();
    });
  });
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
