import fastify from 'fastify';
import { expect, test } from 'vitest';
import { refuseWhileBehind } from './overload.ts';

/** Keeps the event loop from everything else. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('an event loop that is behind twice in a row answers 503 until it is not; a busy start and one pause answer none', async ({
  onTestFinished,
}) => {
  const app = fastify();
  onTestFinished(() => app.close());
  refuseWhileBehind(app, { everyMs: 100, mostLateMs: 600 });
  app.get('/', async () => 'ok');
  await app.ready();
  block(1000);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const status = async () => (await fetch(url)).status;
  expect(await status()).toBe(200);
  block(1000);
  expect(await status()).toBe(200);
  block(1000);
  expect(await status()).toBe(503);
  await expect.poll(status, { interval: 1 }).toBe(200);
  block(1000);
  expect(await status()).toBe(200);
});
