import { expect } from 'vitest';
import { testServer } from '../../testing/server.ts';
import { test as base } from '../../testing/test.ts';
import { healthRoutes } from './server.ts';

/** A server that listens; `/slow` answers when the gate is open. */
const test = base.extend('server', async ({ platform }, { onCleanup }) => {
  const gate = Promise.withResolvers<void>();
  const half = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const server = await testServer(platform, (app) => {
    healthRoutes(app, async () => true);
    app.get('/slow', async () => {
      begun.resolve();
      await gate.promise;
      return { status: 'done' };
    });
    app.get('/begun', async (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('a ');
      await half.promise;
      reply.raw.end('whole');
    });
  });
  onCleanup(() => server.close());
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const get = (path: string) => fetch(`${url}${path}`);
  return { leaving: server.app.leaving, get, gate, half, begun: begun.promise };
});

test('from the first signal on /readyz is 503, and all else is served on connections that end', async ({
  server: { leaving, get },
}) => {
  const before = await get('/readyz');
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive']);
  leaving.begin();
  expect((await get('/readyz')).status).toBe(503);
  const after = await get('/healthz');
  expect([after.status, after.headers.get('connection')]).toEqual([200, 'close']);
});

test('what runs is finished while no connection is taken any more', async ({
  server: { leaving, get, gate, begun },
}) => {
  const slow = get('/slow');
  await begun;
  leaving.begin();
  let isOver = false;
  const over = leaving.finish({ spreadMs: 0, timeoutMs: 60_000 }).then(() => {
    isOver = true;
  });
  await expect(get('/healthz')).rejects.toThrow('fetch failed');
  expect(isOver).toBe(false);
  gate.resolve();
  const answer = await slow;
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await over;
});

test('an answer that has begun is sent whole, and its end does not cut off another', async ({
  server: { leaving, get, gate, half, begun },
}) => {
  const slow = get('/slow');
  await begun;
  const partial = await get('/begun');
  leaving.begin();
  let isOver = false;
  const over = leaving.finish({ spreadMs: 0, timeoutMs: 60_000 }).then(() => {
    isOver = true;
  });
  half.resolve();
  expect(await partial.text()).toBe('a whole');
  await new Promise((done) => setImmediate(done));
  expect(isOver).toBe(false);
  gate.resolve();
  expect((await slow).status).toBe(200);
  await over;
});

test('nothing is waited for longer than the time to finish', async ({
  server: { leaving, get, gate, begun },
}) => {
  const slow = get('/slow');
  await begun;
  leaving.onLeave(() => new Promise(() => {}));
  leaving.begin();
  await leaving.finish({ spreadMs: 0, timeoutMs: 10 });
  gate.resolve();
  expect((await slow).status).toBe(200);
});
