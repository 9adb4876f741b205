import { once } from 'node:events';
import { connect } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { expect } from 'vitest';
import { test } from '../../testing/test.ts';
import { readUnreadBodies } from './unread-bodies.ts';

const megabyte = 2 ** 20;

/** Sends a request and what it is to carry as fast as it is taken; counts what was taken until the connection ends. */
function send(port: number, bytes: number) {
  const socket = connect(port, '127.0.0.1');
  const chunk = Buffer.alloc(64 * 1024);
  const sent = { bytes: 0, answer: '', isOpen: true };
  const write = () => {
    while (sent.bytes < bytes) {
      sent.bytes += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on('drain', write).on('error', () => {});
  socket.on('data', (data) => (sent.answer += data.toString()));
  socket.on('close', () => (sent.isOpen = false));
  socket.write(
    `POST / HTTP/1.1\r\nhost: tara\r\ncontent-type: image/png\r\ncontent-length: ${bytes}\r\n\r\n`,
  );
  write();
  return { sent, socket };
}

async function listen(app: FastifyInstance): Promise<number> {
  const onRequest = async (_request: FastifyRequest, reply: FastifyReply) => reply.code(429).send('too many');
  app.post('/', { onRequest }, async () => 'never');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

test('what refused callers still send is not read as fast as they send it, and all of them are answered', async ({
  onTestFinished,
}) => {
  const app = fastify();
  onTestFinished(() => app.close());
  readUnreadBodies(app, { bytesPerSecond: megabyte, mostMs: 1_500 });
  const port = await listen(app);
  let read = 0;
  app.server.on('connection', (socket) => socket.once('close', () => (read += socket.bytesRead)));
  const callers = Array.from({ length: 10 }, () => send(port, 100 * megabyte));
  await expect.poll(() => callers.every(({ sent }) => sent.answer.includes('429'))).toBe(true);
  await expect.poll(() => callers.some(({ sent }) => sent.isOpen)).toBe(false);
  // What the system had taken of each before it was read no more, too.
  await expect.poll(() => read).toBeGreaterThan(0);
  expect(read).toBeLessThan(10 * megabyte);
});

test('a caller who sends all of a refused body is answered, and the connection is good for the next request', async ({
  onTestFinished,
}) => {
  const app = fastify();
  onTestFinished(() => app.close());
  readUnreadBodies(app);
  const port = await listen(app);
  const { sent, socket } = send(port, 2 * megabyte);
  await expect.poll(() => sent.answer).toContain('429');
  await expect.poll(() => socket.writableLength).toBe(0);
  sent.answer = '';
  socket.write('POST / HTTP/1.1\r\nhost: tara\r\ncontent-length: 0\r\n\r\n');
  await expect.poll(() => sent.answer).toContain('429');
  socket.destroy();
});

/** Sends a request whole before it looks for the answer, as most clients do. */
async function sendFirst(port: number, head: string, bytes: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause();
  let answer = '';
  socket.on('error', () => {}).on('data', (data) => (answer += data.toString()));
  const closed = once(socket, 'close');
  socket.write(`POST ${head}\r\nhost: tara\r\ncontent-length: ${bytes}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes), () => socket.resume());
  await closed;
  return answer.slice(0, answer.indexOf('\r\n'));
}

test('no answer is lost to who sends all of a refused body first, on a connection that closes then', async ({
  onTestFinished,
}) => {
  const app = fastify({ bodyLimit: 1000 });
  onTestFinished(() => app.close());
  readUnreadBodies(app);
  app.post('/json', async () => 'never');
  const port = await listen(app);
  expect(await sendFirst(port, '/ HTTP/1.1\r\nconnection: close', 4 * megabyte)).toBe(
    'HTTP/1.1 429 Too Many Requests',
  );
  expect(await sendFirst(port, '/ HTTP/1.0', 4 * megabyte)).toBe('HTTP/1.1 429 Too Many Requests');
  // Fastify closes the connection of a body that its parsers refuse.
  expect(await sendFirst(port, '/json HTTP/1.1\r\ncontent-type: application/json', 4 * megabyte)).toBe(
    'HTTP/1.1 413 Payload Too Large',
  );
});

test('a connection is not closed for a refused body that arrived meanwhile', async ({ onTestFinished }) => {
  const app = fastify();
  onTestFinished(() => app.close());
  // Nothing of it is read but what Node reads ahead.
  readUnreadBodies(app, { bytesPerSecond: 0, mostMs: 300 });
  const port = await listen(app);
  const { sent, socket } = send(port, 64 * 1024);
  await expect.poll(() => sent.answer).toContain('429');
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(sent.isOpen).toBe(true);
  sent.answer = '';
  socket.write('POST / HTTP/1.1\r\nhost: tara\r\ncontent-length: 0\r\n\r\n');
  await expect.poll(() => sent.answer).toContain('429');
  socket.destroy();
});

test('what comes by no connection is not waited for after its answer', async ({ onTestFinished }) => {
  const app = fastify();
  onTestFinished(() => app.close());
  readUnreadBodies(app, { bytesPerSecond: megabyte, mostMs: 100 });
  app.get('/', async () => 'answered');
  expect((await app.inject('/')).body).toBe('answered');
  // Its connection would be closed then, and there is none: that error would end the process.
  await new Promise((resolve) => setTimeout(resolve, 300));
});
