import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { posts } from '@tara/contract/posts';
import { expect } from 'vitest';
import { postRoutes } from './features/posts/index.ts';
import { canQuery, connect, hostOf } from './platform/database/connect.ts';
import { healthRoutes } from './platform/http/server.ts';
import { insertMember } from './testing/members.ts';
import { testPlatform } from './testing/platform.ts';
import { testServer } from './testing/server.ts';
import { test as base } from './testing/test.ts';

/** A server whose line to the database can be cut, and joined again. */
const test = base
  .extend('line', { scope: 'file' }, async ({ connection }, { onCleanup }) => {
    const open = new Set<Socket>();
    const { hostname, port, pathname, username, password } = new URL(connection.url);
    const { host } = hostOf(connection.url);
    const proxy = createServer((near) => {
      const far = host
        ? connectSocket(`${host}/.s.PGSQL.${port || 5432}`)
        : connectSocket(Number(port), hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(socket);
        socket.pipe(other);
        socket.on('error', () => other.destroy());
        socket.on('close', () => other.destroy());
      }
    });
    const listen = (port: number) => new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done));
    const cut = () => {
      proxy.close();
      for (const socket of open) socket.destroy();
    };
    await listen(0);
    const own = (proxy.address() as AddressInfo).port;
    onCleanup(cut);
    const user = password ? `${username}:${password}` : username;
    return { url: `postgres://${user}@127.0.0.1:${own}${pathname}`, cut, join: () => listen(own) };
  })
  .extend('server', { scope: 'file' }, async ({ line }, { onCleanup }) => {
    const connection = connect(line.url, { size: 2 });
    const platform = testPlatform(connection.database);
    const server = await testServer(platform, (app) => {
      healthRoutes(app, () => canQuery(platform.database));
      postRoutes(app, platform);
    });
    onCleanup(async () => {
      await server.close();
      await connection.close();
    });
    return server;
  });

test('with the database away calls answer 503 with a time to try again, and answer again once it is back', async ({
  database,
  line,
  server,
}) => {
  const ana = await insertMember(database);
  const ready = async () => (await server.request(null, { url: '/readyz' })).statusCode;
  expect((await server.call(ana, posts.feed)).status).toBe(200);
  line.cut();
  for (let tries = 0; tries < 3; tries++) {
    const { status, headers, problem } = await server.call(ana, posts.feed);
    expect(status).toBe(503);
    expect(problem).toMatchObject({ type: 'general_unavailable', requestId: expect.any(String) });
    expect(headers['retry-after']).toBe('2');
  }
  expect(await ready()).toBe(503);
  expect((await server.request(null, { url: '/healthz' })).statusCode).toBe(200);
  await line.join();
  await expect.poll(ready, { timeout: 60_000 }).toBe(200);
  expect((await server.call(ana, posts.feed)).status).toBe(200);
});
