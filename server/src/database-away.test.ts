import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { posts } from '@tara/contract/posts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postRoutes } from './features/posts/index.ts';
import { type Connection, canQuery, connect, hostOf } from './platform/database/connect.ts';
import { createTestDatabase, type TestDatabase } from './platform/database/testing.ts';
import { healthRoutes } from './platform/http/health.ts';
import { insertMember, type Member } from './testing/members.ts';
import { testPlatform } from './testing/platform.ts';
import { type TestServer, testServer } from './testing/server.ts';

let testing: TestDatabase;
let connection: Connection;
let server: TestServer;
let ana: Member;
/** A line to the database that the test can cut. */
const open = new Set<Socket>();
const line = createServer((near) => {
  const { hostname, port } = new URL(testing.url);
  const { host } = hostOf(testing.url);
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

beforeAll(async () => {
  testing = await createTestDatabase();
  await new Promise<void>((done) => line.listen(0, '127.0.0.1', done));
  const url = new URL(testing.url);
  const database = `${url.username}${url.password ? `:${url.password}` : ''}@127.0.0.1:${(line.address() as AddressInfo).port}${url.pathname}`;
  connection = connect(`postgres://${database}`, { size: 2 });
  const platform = testPlatform(connection.database);
  server = await testServer(platform, (app) => {
    healthRoutes(app, () => canQuery(platform.database));
    postRoutes(app, platform);
  });
  ana = await insertMember(testing.database);
});
afterAll(async () => {
  await server.close();
  await connection.close();
  line.close();
  for (const socket of open) socket.destroy();
  await testing.drop();
});

it('with the database away calls answer 503 and say when to come back, and answer again once it is there', async () => {
  const ready = async () => (await server.request(null, { url: '/readyz' })).statusCode;
  expect((await server.call(ana, posts.feed)).status).toBe(200);
  const { port } = line.address() as AddressInfo;
  line.close();
  for (const socket of open) socket.destroy();
  for (let tries = 0; tries < 3; tries++) {
    const { status, headers, problem } = await server.call(ana, posts.feed);
    expect(status).toBe(503);
    expect(problem).toMatchObject({ type: 'general_unavailable', requestId: expect.any(String) });
    expect(headers['retry-after']).toBe('2');
  }
  expect(await ready()).toBe(503);
  expect((await server.request(null, { url: '/healthz' })).statusCode).toBe(200);
  line.listen(port, '127.0.0.1');
  await expect.poll(ready, { timeout: 15_000 }).toBe(200);
  expect((await server.call(ana, posts.feed)).status).toBe(200);
});
