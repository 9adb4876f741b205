import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { realtimeRoutes } from '../../backend/realtime/realtime.ts';
import { testServer } from '../../testing/server.ts';
import { test as base } from '../../testing/test.ts';
import { healthRoutes } from './server.ts';

const test = base
  .extend('environment', { scope: 'file' }, { RATE_LIMITS: 'on' })
  .extend('port', { scope: 'file' }, async ({ platform }, { onCleanup }) => {
    const server = await testServer(platform, async (app) => {
      healthRoutes(app, async () => true);
      await realtimeRoutes(app, platform, async () => null);
    });
    onCleanup(() => server.close());
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    return (server.app.server.address() as AddressInfo).port;
  })
  .extend('errors', async ({ platform }, { onCleanup }) => {
    const errors = vi.spyOn(platform.log, 'error');
    onCleanup(() => errors.mockRestore());
    return errors;
  });

test('a caller who resets the connection is no unexpected error in the log', async ({ port, errors }) => {
  for (let count = 0; count < 20; count++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET /healthz HTTP/1.1\r\nhost: tara\r\n\r\n', () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  expect(errors).not.toHaveBeenCalled();
});

test('frames of a socket that are none are no error in the log', async ({ port, errors }) => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const headers = ['host: tara', 'connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'];
  const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write(['GET /v1/realtime?project=tara HTTP/1.1', ...headers, key, '', 'not a frame'].join('\r\n'));
  expect(await text(socket)).toContain(' 101 ');
  expect(errors).not.toHaveBeenCalled();
});
