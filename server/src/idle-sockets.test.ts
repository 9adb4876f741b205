import { connect, type Socket } from 'node:net';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { startTest } from './testing/process.ts';
import { startServer } from './testing/start.ts';

const patient = { timeout: 60_000 };

/** A server that may have 110 files and sockets open, of which it needs about half for itself. */
const test = startTest.extend('url', async ({ connection, dataDir }, { onCleanup }) => {
  const environment = { DATABASE_URL: connection.url, DATA_DIR: dataDir };
  const server = await startServer(environment, ['--empty'], { descriptors: 110 });
  onCleanup(async () => expect(await server.stop()).toEqual({ code: 0 }));
  return server.url ?? '';
});

const fetchStatus = async (url: string) => {
  try {
    return (await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).status;
  } catch {
    return null;
  }
};

describe.skipIf(process.platform === 'win32')('150 guests that do nothing do not end the server', () => {
  test('connections that never send a byte are closed, and it serves again', async ({ url }) => {
    const { hostname, port } = new URL(url);
    const open = new Set<Socket>();
    for (let count = 0; count < 150; count++) {
      const socket = connect(Number(port), hostname).on('error', () => {});
      socket.resume().on('close', () => open.delete(socket));
      open.add(socket);
    }
    await expect.poll(() => open.size, patient).toBeLessThan(100);
    await expect.poll(() => open.size, patient).toBe(0);
    await expect.poll(() => fetchStatus(url), patient).toBe(200);
  });

  test('realtime connections beyond what it can hold are refused, and it serves again', async ({ url }) => {
    const sockets = Array.from({ length: 150 }, () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?project=tara&channels[]=files`);
      return socket.on('error', () => {});
    });
    const states = () => [...new Set(sockets.map(({ readyState }) => readyState))].sort();
    await expect.poll(states, patient).toEqual([WebSocket.OPEN, WebSocket.CLOSED]);
    for (const socket of sockets) socket.terminate();
    await expect.poll(() => fetchStatus(url), patient).toBe(200);
  });
});
