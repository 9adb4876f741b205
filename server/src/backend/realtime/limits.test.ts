import { afterEach, describe, expect } from 'vitest';
import type { WebSocket } from 'ws';
import { noOwners } from '../../platform/documents.ts';
import { announcedRecord, backendTest } from '../../testing/backend/backend.ts';
import { realtimeClient } from '../../testing/backend/realtime-client.ts';
import { addMember } from '../../testing/features/sessions.ts';

const open = new Set<WebSocket>();
const test = backendTest({ TRUST_PROXY: '1' }, { read: announcedRecord })
  .extend('ana', { scope: 'file' }, ({ connection }) => addMember(connection))
  .extend(
    'connect',
    { scope: 'file' },
    ({ backend }) =>
      async (secret: string | null, address = '203.0.113.9') => {
        const client = realtimeClient(backend.url, secret, { headers: { 'x-forwarded-for': address } });
        open.add(client.socket);
        const first = await Promise.race([client.next(), client.closed]);
        return { ...client, refused: typeof first === 'number' ? first : null };
      },
  )
  .extend(
    'guests',
    { scope: 'file' },
    ({ connect }) =>
      async (count: number, address: (index: number) => string) => {
        // A few at a time: a server that is late with its work refuses more.
        let accepted = 0;
        for (let first = 0; first < count; first += 20) {
          const some = Array.from({ length: 20 }, (_, index) => connect(null, address(first + index)));
          for (const { refused } of await Promise.all(some)) accepted += refused === null ? 1 : 0;
        }
        return accepted;
      },
  );

afterEach(() => {
  for (const socket of open) socket.terminate();
  open.clear();
});

const channels = (count: number, name = 'c') =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);
const subscriptions = (count: number, each: string[], name = 's') =>
  Array.from({ length: count }, (_, index) => ({ subscriptionId: `${name}${index}`, channels: each }));

describe('no frame makes a socket listen to more than 200 channels (threat-starvation)', () => {
  test('100 subscriptions to the same 100 channels in one frame', async ({ connect }) => {
    const guest = await connect(null);
    guest.say('subscribe', subscriptions(100, channels(100)));
    expect(await guest.next()).toMatchObject({ type: 'error', data: { code: 1003 } });
    expect(await guest.untilNow()).toEqual([]);
  });

  test('a frame too many, which changes nothing', async ({ backend, ana, connect }) => {
    const member = await connect(ana.secret);
    member.say('subscribe', subscriptions(2, channels(100)));
    expect(await member.next()).toMatchObject({ type: 'response' });
    member.say('subscribe', [{ subscriptionId: 'more', channels: ['documents'] }]);
    expect(await member.next()).toMatchObject({ type: 'error', data: { code: 1003 } });
    // In place of others there is room.
    member.say('subscribe', [
      { subscriptionId: 's0', channels: ['documents'] },
      { subscriptionId: 'more', channels: ['documents'] },
    ]);
    expect(await member.next()).toMatchObject({ type: 'response' });
    backend.platform.bus.publish('document', {
      collection: 'posts',
      id: 'p1',
      change: 'create',
      document: {},
      audience: [ana.accountId],
      owners: noOwners,
    });
    expect((await member.next()).data.subscriptions.toSorted()).toEqual(['more', 's0']);
    member.say('unsubscribe', [{ subscriptionId: 's0' }, { subscriptionId: 's0' }, { subscriptionId: 's1' }]);
    expect((await member.next()).data.subscriptions.map((one: { removed: boolean }) => one.removed)).toEqual([
      true,
      false,
      true,
    ]);
  });
});

test.for([
  ['deeper than 32 levels', `{"type":"ping","more":${'['.repeat(32)}${']'.repeat(32)}}`],
  ['30,000 levels deep', '['.repeat(30_000)],
  ['of more than 10,000 values', `{"type":"ping","more":[${Array(10_000).fill('0').join()}]}`],
] as const)('a frame %s is not read', async ([_what, text], { connect }) => {
  const guest = await connect(null);
  guest.socket.send(text);
  expect(await guest.next()).toMatchObject({ type: 'error', data: { code: 1003 } });
  expect(await guest.untilNow()).toEqual([]);
});

describe('no member makes an event be compared with everything they choose (threat-event-work)', () => {
  /** A subscription to posts, filtered by as many tags as one may have. */
  const filtered = (name: string) => ({
    subscriptionId: name,
    channels: ['databases.tara.collections.posts.documents'],
    queries: [
      JSON.stringify({
        method: 'equal',
        attribute: 'tags',
        values: Array.from({ length: 100 }, (_, index) => `${name} ${index}`),
      }),
    ],
  });

  test('by values on more sockets', async ({ backend, connection, connect }) => {
    const eve = await addMember(connection);
    const [first, second] = [await connect(eve.secret), await connect(eve.secret)];
    first.say('subscribe', ['a', 'b', 'c', 'd'].map(filtered));
    expect(await first.next()).toMatchObject({ type: 'response' });
    second.say('subscribe', ['e', 'f'].map(filtered));
    expect(await second.next()).toMatchObject({ type: 'error', data: { code: 1013 } });
    const slots = ['e', 'f'].map((name, slot) => {
      const [query = ''] = filtered(name).queries;
      return `documents[${slot}][]=${encodeURIComponent(query)}`;
    });
    const named = realtimeClient(backend.url, eve.secret, { query: `project=tara&${slots.join('&')}` });
    open.add(named.socket);
    // There may be room later, so that it may reconnect.
    expect(await named.closed).toBe(1013);
    first.say('unsubscribe', [{ subscriptionId: 'a' }]);
    expect(await first.next()).toMatchObject({ type: 'response' });
    second.say('subscribe', ['e', 'f'].map(filtered));
    expect(await second.next()).toMatchObject({ type: 'response' });
    expect(await second.untilNow()).toEqual([]);
  });

  test('by subscriptions on more sockets, of which some end with a reason', async ({
    backend,
    connection,
    connect,
  }) => {
    const eve = await addMember(connection);
    const sockets = await Promise.all(Array.from({ length: 11 }, () => connect(eve.secret)));
    for (const socket of sockets) {
      socket.say('subscribe', subscriptions(95, ['documents']));
      expect(await socket.next()).toMatchObject({ type: 'response' });
    }
    const announce = () =>
      backend.platform.bus.publish('document', {
        ...{ collection: 'posts', id: 'p1', change: 'create', document: {} },
        ...{ audience: [eve.accountId], owners: noOwners },
      });
    announce();
    for (const socket of sockets) expect(await socket.next()).toMatchObject({ type: 'event' });
    const frames = (await Promise.all(sockets.map((socket) => socket.untilNow()))).flat();
    expect(frames.map(({ type, data }) => [type, data.code])).toEqual([['error', 1013]]);
    expect(frames[0]?.data.subscriptions).toHaveLength(45);
    announce();
    let left = 0;
    for (const socket of sockets) left += (await socket.next()).data.subscriptions.length;
    expect(left).toBe(1000);
  });
});

describe('nobody holds many sockets without an account (threat-starvation)', () => {
  test('from one address', async ({ ana, connect, guests }) => {
    expect(await guests(60, () => '203.0.113.9')).toBe(32);
    expect((await connect(null)).refused).toBe(1013);
    expect((await connect('no-session')).refused).toBe(1013);
    // Others, and members of the same address, are not kept out.
    expect((await connect(null, '203.0.113.10')).refused).toBeNull();
    expect((await connect(ana.secret)).refused).toBeNull();
  });

  test('from the addresses of one IPv6 network', async ({ connect, guests }) => {
    expect(await guests(60, (index) => `2001:db8:1:2::${index.toString(16)}`)).toBe(32);
    expect((await connect(null, '2001:db8:1:3::1')).refused).toBeNull();
  });

  test('from the networks of one provider', async ({ connect, guests }) => {
    expect(await guests(300, (index) => `2001:db8:2:${index.toString(16)}::1`)).toBe(256);
    expect((await connect(null, '2001:db8:3::1')).refused).toBeNull();
  });

  test('a socket’s place is free again when a guest leaves or signs in', async ({ ana, connect }) => {
    const home = '198.51.100.7';
    const all = await Promise.all(Array.from({ length: 32 }, () => connect(null, home)));
    all[0]?.say('authentication', { session: ana.secret });
    expect(await all[0]?.next()).toMatchObject({ type: 'response' });
    expect((await connect(null, home)).refused).toBeNull();
    expect((await connect(null, home)).refused).toBe(1013);
    all[1]?.socket.close();
    await all[1]?.closed;
    await expect.poll(async () => (await connect(null, home)).refused).toBeNull();
  });
});

test('nobody is listened to more often by opening more sockets (threat-starvation)', async ({
  connection,
  connect,
}) => {
  const eve = await addMember(connection);
  const sockets = await Promise.all(Array.from({ length: 11 }, () => connect(eve.secret)));
  const answers = await Promise.all(
    sockets.map(async (socket) => {
      for (let sent = 0; sent < 115; sent++) socket.say('ping');
      const types: string[] = [];
      while (types.length < 115) types.push((await socket.next()).type);
      return types;
    }),
  );
  expect(answers.flat().filter((type) => type === 'pong')).toHaveLength(1200);
  expect(answers.flat().filter((type) => type === 'error')).toHaveLength(65);
});
