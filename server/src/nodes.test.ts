import { secondFactor } from '@tara/contract/accounts/second-factor';
import { channel } from '@tara/contract/wire/realtime';
import { eq } from 'drizzle-orm';
import { describe as describeAll, expect } from 'vitest';
import { accounts } from './features/accounts/index.ts';
import type { DocumentChange } from './platform/documents.ts';
import { insertConversation } from './testing/features/conversations.ts';
import { addMember, openSession } from './testing/features/sessions.ts';
import { nodesTest, request } from './testing/nodes/nodes.ts';
import { redisProgram } from './testing/services/redis.ts';

const describe = describeAll.skipIf(redisProgram === null);
const test = nodesTest();
const account = '/v1/account';

describe('a session that was ended on one node (threat-stolen-sessions)', () => {
  test('is refused on the other, and its sockets there are closed, within a second', async ({
    connection,
    one,
    other,
    listen,
  }) => {
    const ana = await addMember(connection);
    const stolen = { secret: await openSession(connection, ana.accountId) };
    expect((await request(other, stolen, account)).status).toBe(200);
    const socket = await listen(other, stolen, 'account');
    const ownSocket = await listen(other, ana, 'account');
    const endedAt = performance.now();
    expect((await request(one, stolen, `${account}/sessions/current`, 'DELETE')).status).toBe(204);
    expect(await socket.closed).toBe(4401);
    expect((await request(other, stolen, account)).status).toBe(401);
    expect(performance.now() - endedAt).toBeLessThan(1_000);
    const [{ data }] = [await ownSocket.next()];
    expect(data.payload.secret).toBe('');
    expect((await request(other, ana, account)).status).toBe(200);
  });

  test('is refused within 10 s while Redis is away', async ({ connection, one, other, redis, listen }) => {
    const ana = await addMember(connection);
    expect((await request(other, ana, account)).status).toBe(200);
    await expect.poll(() => other.redis()).toBe('running');
    await redis.kill();
    await expect.poll(() => other.redis()).toBe('away');
    const socket = await listen(other, ana, 'account');
    const idle = await addMember(connection);
    expect((await request(other, idle, account)).status).toBe(200);
    const endedAt = performance.now();
    for (const who of [ana, idle])
      expect((await request(one, who, `${account}/sessions/current`, 'DELETE')).status).toBe(204);
    expect(await socket.closed).toBe(4401);
    await expect.poll(async () => (await request(other, idle, account)).status, { interval: 200 }).toBe(401);
    expect(performance.now() - endedAt).toBeLessThan(10_000);
    await redis.start();
    await expect.poll(() => [one, other].map((node) => node.redis())).toEqual(['running', 'running']);
  });
});

test.skipIf(redisProgram === null)(
  'what a member gained by one node counts on the other from the next request on, before it is announced there',
  async ({ connection, database, one, other }) => {
    const ana = await addMember(connection);
    const statuses = async () => {
      const answers = await Promise.all(
        [one, other].map((node) => request(node, ana, secondFactor.status.path)),
      );
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([403, 403]);
    await database
      .update(accounts)
      .set({ labels: ['admin'] })
      .where(eq(accounts.id, ana.accountId));
    expect(await statuses()).toEqual([200, 200]);
  },
);

describe('events', () => {
  const posts = channel.collection('posts');
  const change = (id: string): DocumentChange => ({
    ...{ collection: 'posts', id, change: 'update', document: {} },
    ...{ audience: 'members', owners: { profileIds: [], authorId: null } },
  });

  test('of one node reach those who listen on the other', async ({ connection, one, other, listen }) => {
    const ana = await addMember(connection);
    const sockets = [await listen(one, ana, posts), await listen(other, ana, posts)];
    one.platform.bus.publish('document', change('p1'));
    for (const socket of sockets) expect((await socket.next()).data.payload.$id).toBe('p1');
    expect(await sockets[1]?.untilNow()).toEqual([]);
  });

  test('that were lost make sockets come back, of which each fetches what it missed (threat-lost-data)', async ({
    connection,
    other,
    redis,
    listen,
  }) => {
    const ana = await addMember(connection);
    const socket = await listen(other, ana, posts);
    await redis.run((client) => client.client('KILL', 'TYPE', 'PUBSUB'));
    expect(await socket.closed).toBe(1012);
  });
});

describe('who looks at a conversation', () => {
  test('sees the other type, come and go on another node', async ({
    connection,
    database,
    one,
    other,
    listen,
  }) => {
    const [ana, ben] = [await addMember(connection), await addMember(connection)];
    const { id } = await insertConversation(database, ana, ben);
    const page = channel.document('conversations', id);
    const reader = await listen(one, ana, page);
    const writer = await listen(other, ben, page);
    expect((await reader.next()).data.payload.presence).toEqual({
      ...{ memberId: ben.profileId, online: true, lastSeenAt: null },
    });
    // What is announced comes by another connection than the set.
    await expect.poll(() => one.platform.isOnline(ben.accountId)).toBe(true);
    const type = () => writer.say('presence', { status: 'typing', metadata: { chatId: id } });
    type();
    expect((await reader.next()).data.payload.typing).toBe(ben.profileId);
    writer.socket.close();
    expect((await reader.next()).data.payload.presence).toMatchObject({ online: false });
    await expect.poll(() => one.platform.isOnline(ben.accountId)).toBe(false);
  });
});
