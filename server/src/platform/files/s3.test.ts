import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect } from 'vitest';
import { openS3Store } from './s3.ts';
import { StoreAway } from './store.ts';

/** A store that answers each request as the test says. */
const test = base.extend(
  'open',
  ({ task: _ }, { onCleanup }) =>
    async (answer: (request: IncomingMessage, response: ServerResponse, number: number) => void) => {
      const requests: (string | undefined)[] = [];
      const server = createServer((request, response) =>
        answer(request, response, requests.push(request.method)),
      );
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const { port } = server.address() as AddressInfo;
      const store = openS3Store({
        ...{ endpoint: `http://127.0.0.1:${port}`, bucket: 'files', region: 'us-east-1' },
        ...{ accessKeyId: 'key', secretAccessKey: 'secret' },
      });
      onCleanup(() => {
        store.close();
        server.closeAllConnections();
        server.close();
      });
      return { store, requests };
    },
);

test('a connection that ended before an answer is tried once more on another one', async ({ open }) => {
  const { store, requests } = await open((_request, response, number) =>
    number === 1 ? response.socket?.resetAndDestroy() : response.end('bytes'),
  );
  expect(String(await store.read('one'))).toBe('bytes');
  expect(requests).toEqual(['GET', 'GET']);
});

test('a file that breaks off is away, and is not asked for again', async ({ open }) => {
  const { store, requests } = await open((_request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('bytes', () => response.socket?.resetAndDestroy());
  });
  await expect(store.read('one')).rejects.toThrow(StoreAway);
  expect(requests).toEqual(['GET']);
});
