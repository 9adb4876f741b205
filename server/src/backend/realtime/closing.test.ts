import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect } from 'vitest';
import type { WebSocket } from 'ws';
import { closeCode } from '../../platform/realtime/close-codes.ts';
import { backendTest, startBackend } from '../../testing/backend/backend.ts';
import { type ClientOptions, realtimeClient } from '../../testing/backend/realtime-client.ts';
import { addMember } from '../../testing/features/sessions.ts';

const open = new Set<WebSocket>();
const test = backendTest().extend(
  'connect',
  { scope: 'file' },
  ({ backend }) =>
    (secret: string | null, options?: ClientOptions) => {
      const client = realtimeClient(backend.url, secret, options);
      open.add(client.socket);
      return client;
    },
);

afterEach(() => {
  for (const socket of open) socket.terminate();
  open.clear();
});

const serverFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Every line of the server with this in it, outside of tests. */
const linesWith = (pattern: RegExp) =>
  globSync('**/*.ts', { cwd: serverFolder, exclude: ['**/*.test.ts', 'testing/**'] }).flatMap((file) =>
    readFileSync(serverFolder + file, 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );

test('only what would be refused each time is closed with 1008, after which no SDK reconnects', () => {
  expect(Object.entries(closeCode).filter(([, code]) => code === 1008)).toEqual([['refused', 1008]]);
  // A line added here means that its client must not reconnect.
  expect(linesWith(/closeCode\.refused|\brefuse\(.*socket|\b1008\b(?!,$)/).toSorted()).toEqual([
    'backend/realtime/protocol.ts: export const errorFrame = (code: 1003 | 1008 | 1013, message: string) =>',
    'backend/realtime/realtime.ts: else refuse(socket, why);',
    'backend/realtime/realtime.ts: function refuse(socket: WebSocket, why: string): void {',
    'backend/realtime/realtime.ts: if (refused !== null) return refuse(connection.socket, refused.why);',
    'backend/realtime/realtime.ts: socket.close(closeCode.refused, why);',
    'backend/realtime/realtime.ts: socket.send(errorFrame(closeCode.refused, why), { binary: false });',
    'platform/realtime/close-codes.ts: * The codes with which this server closes a socket. The SDKs reconnect after every one but 1008, so only what will be',
  ]);
});

test('no socket is closed with a code that close-codes.ts does not have', () => {
  const closes = linesWith(/socket\.close\(/);
  expect(closes.length).toBeGreaterThan(4);
  expect(closes.filter((line) => !/socket\.close\(closeCode(\.\w+|\[code\]), /.test(line))).toEqual([]);
});

const manyChannels = Array.from({ length: 201 }, (_, index) => `channels[]=c${index}`).join('&');

test.for([
  ['a foreign page', { headers: { origin: 'https://evil.example' } }],
  ['another project', { query: 'project=other' }],
  ['an address with too many channels', { query: `project=tara&${manyChannels}` }],
] as const)('%s must not reconnect', async ([_what, options], { connect }) => {
  const client = connect(null, options);
  expect(await client.next()).toMatchObject({ type: 'error', data: { code: 1008 } });
  expect(await client.closed).toBe(1008);
});

test('the 65th socket of an account reconnects later, also when it signs in by message', async ({
  connection,
  connect,
}) => {
  const ana = await addMember(connection);
  const first = Array.from({ length: 64 }, () => connect(ana.secret));
  for (const client of first) expect(await client.next()).toMatchObject({ type: 'connected' });
  expect(await connect(ana.secret).closed).toBe(1013);
  const guest = connect(null);
  await guest.next();
  guest.say('authentication', { session: ana.secret });
  expect(await guest.closed).toBe(1013);
});

test('a socket that sends too much is cut off and reconnects', async ({ connect }) => {
  const client = connect(null);
  await client.next();
  for (let sent = 0; sent < 1_400; sent++) client.say('ping');
  expect(await client.closed).toBe(1006);
});

test('a server that stops lets its clients reconnect', async ({ connection }) => {
  const stopping = await startBackend(connection);
  const client = realtimeClient(stopping.url, null);
  open.add(client.socket);
  await client.next();
  await stopping.close();
  expect(await client.closed).toBe(1001);
});
