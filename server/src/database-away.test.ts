import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { posts } from '@tara/contract/posts/posts';
import { expect, vi } from 'vitest';
import { watchAccounts } from './features/accounts/index.ts';
import { postRoutes } from './features/posts/index.ts';
import { openBus } from './platform/bus.ts';
import { canQuery, connect } from './platform/database/connect.ts';
import type { Topics } from './platform/documents.ts';
import { healthRoutes } from './platform/http/server.ts';
import { quietLog } from './platform/log.ts';
import { holdDatabase } from './platform/nodes/hold.ts';
import { openDatabaseLine } from './testing/faults/database-line.ts';
import { insertMember } from './testing/features/members.ts';
import { testPlatform } from './testing/platform.ts';
import { testServer } from './testing/server.ts';
import { test as base } from './testing/test.ts';

/** A server whose line to the database can be cut, and joined again. */
const test = base
  .extend('line', { scope: 'file' }, async ({ connection }, { onCleanup }) => {
    const line = await openDatabaseLine(connection.url);
    onCleanup(line.cut);
    return line;
  })
  .extend('server', { scope: 'file' }, async ({ line }, { onCleanup }) => {
    const connection = connect(line.url, { size: 2 });
    const platform = testPlatform(connection.database);
    const server = await testServer(platform, (app) => {
      healthRoutes(app, () => canQuery(connection.sql));
      postRoutes(app, platform);
    });
    onCleanup(async () => {
      await server.close();
      await connection.close();
    });
    return server;
  });

test('with the database away calls answer 503 with a time to try again, and answer again once it is back (threat-lost-data)', async ({
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

test('a database that takes connections and says nothing is answered 503 within 2 s (threat-lost-data)', async ({
  database,
}) => {
  const ana = await insertMember(database);
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const connection = connect(`postgres://tara@127.0.0.1:${port}/tara`, { size: 2 });
  const platform = testPlatform(connection.database);
  const server = await testServer(platform, (app) => postRoutes(app, platform));
  const askedAt = performance.now();
  expect((await server.call(ana, posts.feed)).status).toBe(503);
  expect(performance.now() - askedAt).toBeLessThan(2_000);
  await server.close();
  await connection.close();
  silent.close();
});

test('what listens to the database hears again once it is back', async ({ connection, line }) => {
  const listening = connect(line.url, { size: 1 });
  const bus = openBus<Topics>(quietLog());
  const heard: string[] = [];
  bus.subscribe('viewerChanged', ({ accountId }) => void heard.push(accountId));
  await watchAccounts(listening.sql, { bus });
  for (const accountId of ['first', 'second']) {
    line.cut();
    await expect(listening.sql`select 1`).rejects.toThrow();
    await line.join();
    await expect
      .poll(
        async () => {
          await connection.sql`select pg_notify('account_changed', ${accountId})`;
          return heard;
        },
        { timeout: 60_000 },
      )
      .toContain(accountId);
  }
  await listening.close();
});

test('the lock of the single node is taken again once the database is back', async ({ connection, line }) => {
  const onLost = vi.fn<() => void>();
  const node = await holdDatabase(line.url, { log: quietLog(), parts: { bus: null, store: null }, onLost });
  const holders = async () =>
    (
      await connection.sql`select pid from pg_locks join pg_database on oid = database
      where locktype = 'advisory' and granted and datname = current_database()`
    ).map(({ pid }) => pid);
  const [before] = await holders();
  line.cut();
  await expect.poll(holders, { timeout: 60_000 }).toEqual([]);
  await line.join();
  await expect.poll(holders, { timeout: 60_000 }).toEqual([expect.any(Number)]);
  expect(await holders()).not.toEqual([before]);
  expect(onLost).not.toHaveBeenCalled();
  await node.release();
});
