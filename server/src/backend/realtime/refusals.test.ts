import { expect } from 'vitest';
import { makeJwt } from '../../features/accounts/index.ts';
import { realtimeTest } from '../../testing/backend/realtime.ts';
import { addMember } from '../../testing/features/sessions.ts';

const test = realtimeTest();

const foreignHost = { headers: { host: '10.evil.example', origin: 'http://10.evil.example' } };

test.for([
  ['a foreign page', { headers: { origin: 'https://evil.example' } }],
  ['a foreign page that the Host header names too', foreignHost],
  ['a page of another scheme', { headers: { host: 'localhost:3000', origin: 'https://localhost:3000' } }],
  ['another project', { query: 'project=other' }],
] as const)(
  'refuses %s for good, whatever cookie it carries (threat-stolen-sessions)',
  async ([_who, options], { ana, connect }) => {
    const client = await connect(ana.secret, options);
    expect(await client.next()).toMatchObject({ type: 'error', data: { code: 1008 } });
    expect(await client.closed).toBe(1008);
  },
);

test('a JSON web token in the address opens a socket as its member, and a call as nobody (threat-stolen-sessions)', async ({
  backend,
  ana,
  connect,
}) => {
  const query = `project=tara&jwt=${makeJwt(backend.platform.sealer, ana, 60)}`;
  const client = await connect(null, { query });
  expect(await client.next()).toMatchObject({ type: 'connected', data: { user: { $id: ana.accountId } } });
  expect((await fetch(`${backend.url}/v1/account?${query}`)).status).toBe(401);
});

test.for([
  ['no JSON', 'hello'],
  ['an unknown type', '{"type":"shout"}'],
  ['no channels', '{"type":"subscribe","data":[{"subscriptionId":"a"}]}'],
  [
    'a filter',
    '{"type":"subscribe","data":[{"subscriptionId":"a","channels":[],"queries":["{\\"method\\":\\"search\\"}"]}]}',
  ],
  [
    'too many channels',
    JSON.stringify({ type: 'subscribe', data: [{ subscriptionId: 'a', channels: Array(101).fill('x') }] }),
  ],
  [
    'a thousand subscriptions',
    JSON.stringify({
      type: 'subscribe',
      data: Array.from({ length: 1000 }, (_, index) => ({
        subscriptionId: `s${index}`,
        channels: ['documents'],
      })),
    }),
  ],
] as const)('answers %s with an error and stays open', async ([_what, text], { ana, connect }) => {
  const client = await connect(ana.secret);
  await client.next();
  client.socket.send(text);
  expect(await client.next()).toMatchObject({ type: 'error', data: { code: 1003 } });
  expect(await client.untilNow()).toEqual([]);
});

test.for([
  ['64 KiB and a byte', 64 * 1024 + 1],
  ['1 MB', 1024 * 1024],
] as const)(
  'closes a socket that sends a frame of %s, and continues with others (threat-starvation)',
  async ([_size, length], { ana, connect }) => {
    const [client, other] = [await connect(ana.secret), await connect(ana.secret)];
    await client.next();
    await other.next();
    client.socket.send('x'.repeat(length));
    expect(await client.closed).toBe(1009);
    expect(await other.untilNow()).toEqual([]);
  },
);

test('does not let one socket have a thousand subscriptions, one by one', async ({ ana, connect }) => {
  const client = await connect(ana.secret);
  await client.next();
  for (let first = 0; first < 1000; first += 50) {
    const ids = Array.from({ length: 50 }, (_, index) => `s${first + index}`);
    client.say(
      'subscribe',
      ids.map((subscriptionId) => ({ subscriptionId, channels: ['documents'] })),
    );
  }
  const types: string[] = [];
  while (types.length < 20) types.push((await client.next()).type);
  expect(types).toEqual([...Array(2).fill('response'), ...Array(18).fill('error')]);
  expect(await client.untilNow()).toEqual([]);
});

test('stops reading a socket that sends too many messages (threat-starvation)', async ({ ana, connect }) => {
  const client = await connect(ana.secret);
  await client.next();
  for (let count = 0; count < 125; count++) client.say('ping');
  const answers: string[] = [];
  while (answers.length < 125) answers.push((await client.next()).type);
  expect(answers.filter((type) => type === 'error')).toHaveLength(5);
});

test('closes a socket with a megabyte of unsent frames (threat-starvation)', async ({
  connection,
  listening,
  announce,
}) => {
  const eve = await addMember(connection);
  const client = await listening(eve, 'documents');
  client.socket.pause();
  const body = 'x'.repeat(256 * 1024);
  for (let sent = 0; sent < 200; sent++) {
    announce({ audience: [eve.accountId], document: { body } });
    await new Promise(setImmediate);
  }
  client.socket.resume();
  expect(await client.closed).toBe(1006);
});
