import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test as base, expect } from 'vitest';
import { shareConnections } from './connections.ts';

const most = 16;

const test = base
  .extend('server', async ({ onTestFinished }) => {
    const server = createServer((request, response) => {
      if (request.url !== '/slow') response.end('ok');
    });
    shareConnections(server, most);
    await new Promise<void>((listening) => server.listen(0, '0.0.0.0', listening));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return server;
  })
  .extend('sockets', async ({ onTestFinished }) => {
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    return sockets;
  });

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Opens a connection from an address of this machine; resolves when it is there. */
function open(server: Server, localAddress: string, sockets: Socket[]): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port: portOf(server), host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('connect', () => resolve(socket));
  });
}

/** The status of an answer to an address; 0 without one. */
function ask(server: Server, localAddress: string): Promise<number> {
  return new Promise((resolve) => {
    const options = { port: portOf(server), host: '127.0.0.1', localAddress, agent: false };
    get(options, (response) => resolve(response.resume().statusCode ?? 0)).on('error', () => resolve(0));
  });
}

const isClosed = (socket: Socket) => socket.readableEnded || socket.destroyed;

test('idle connections of one address keep nobody else out, however many', async ({ server, sockets }) => {
  for (let count = 0; count < 3 * most; count++) {
    sockets.push((await open(server, '127.0.0.2', [])).resume());
    expect(await ask(server, '127.0.0.3')).toBe(200);
  }
  await expect.poll(() => sockets.filter((socket) => !isClosed(socket)).length).toBeLessThanOrEqual(most);
});

test('connections with requests under way, and idle ones of few, are left open while others wait', async ({
  server,
  sockets,
}) => {
  const slow = (await open(server, '127.0.0.2', sockets)).resume();
  slow.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
  const few = (await open(server, '127.0.0.4', sockets)).resume();
  for (let count = 0; count < 3 * most; count++) (await open(server, '127.0.0.2', sockets)).resume();
  expect(await ask(server, '127.0.0.3')).toBe(200);
  await expect.poll(() => sockets.filter((socket) => !isClosed(socket)).length).toBeLessThanOrEqual(most);
  expect([slow, few].map(isClosed)).toEqual([false, false]);
});

test('where every connection has a request under way, the new one is closed', async ({ server, sockets }) => {
  for (let count = 0; count < most; count++) {
    const socket = (await open(server, '127.0.0.2', sockets)).resume();
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(server, 'request');
  }
  expect(await ask(server, '127.0.0.3')).toBe(0);
  expect(sockets.some(isClosed)).toBe(false);
});
