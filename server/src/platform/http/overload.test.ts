import fastify from 'fastify';
import { expect, test } from 'vitest';
import { refuseWhileBehind } from './overload.ts';

/** Keeps the event loop from everything else. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('an event loop that is behind answers 503 until it is not, and a busy start answers none', async ({
  onTestFinished,
}) => {
  const app = fastify();
  onTestFinished(() => app.close());
  refuseWhileBehind(app, { everyMs: 300, mostLateMs: 300 });
  app.get('/', async () => 'ok');
  const status = async () => (await app.inject('/')).statusCode;
  await app.ready();
  block(1000);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  expect((await fetch(url)).status).toBe(200);
  block(1000);
  await expect.poll(status, { interval: 1 }).toBe(503);
  await expect.poll(status, { interval: 1 }).toBe(200);
});
