import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openSocket } from './sockets.ts';

let server: WebSocketServer | undefined;
afterEach(() => server?.close());

async function listen(greet: (socket: WebSocket) => void): Promise<number> {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', greet);
  await once(server, 'listening');
  // A TCP server's address is no path.
  return (server.address() as AddressInfo).port;
}

test('a socket is open when the server sent its first message', async () => {
  const port = await listen((socket) => socket.send('{}'));
  const socket = await openSocket(port, {});
  expect(socket?.readyState).toBe(1);
  socket?.terminate();
});

test('a socket that is closed before its first message is none', async () => {
  const port = await listen((socket) => socket.close());
  expect(await openSocket(port, {})).toBeNull();
});

test('a socket without an answer is none after the time limit', async () => {
  const port = await listen(() => {});
  expect(await openSocket(port, {}, 1)).toBeNull();
});
