import { setTimeout as delay } from 'node:timers/promises';
import { channel } from '@tara/contract/wire/realtime';
import { describe as describeAll, expect } from 'vitest';
import { connect } from './platform/database/connect.ts';
import type { DocumentChange } from './platform/documents.ts';
import { addMember } from './testing/features/sessions.ts';
import { nodesTest, request, startNode } from './testing/nodes/nodes.ts';
import { redisProgram, startRedis, startSentinel } from './testing/services/redis.ts';

// Of `npm run test:long`: `REDIS_FAULTS=all` lets vitest.config.ts include them.
const describe = describeAll.skipIf(redisProgram === null);
const test = nodesTest({ RATE_LIMITS: 'on' });
const account = '/v1/account';
const posts = channel.collection('posts');

const change = (id: string): DocumentChange => ({
  ...{ collection: 'posts', id, change: 'update', document: {} },
  ...{ audience: 'members', owners: { profileIds: [], authorId: null } },
});

describe('two nodes', () => {
  test.for(['paused for 20 s', 'killed', 'flushed', 'out of memory'] as const)(
    'go on serving while Redis is %s, and share again within 5 s',
    async (fault, { connection, one, other, redis, listen, onTestFinished }) => {
      const mend = async () => {
        redis.resume();
        await redis.start();
        await redis.run((client) => client.config('SET', 'maxmemory', '0'));
      };
      onTestFinished(mend);
      const ana = await addMember(connection);
      const both = [one, other];
      await expect.poll(() => both.map((node) => node.redis())).toEqual(['running', 'running']);
      if (fault === 'paused for 20 s') redis.pause();
      if (fault === 'killed') await redis.kill();
      if (fault === 'flushed') await redis.run((client) => client.flushall());
      if (fault === 'out of memory') await redis.run((client) => client.config('SET', 'maxmemory', '1'));
      const faultyUntil = performance.now() + (fault === 'paused for 20 s' ? 20_000 : 6_000);
      const slowest = { ms: 0 };
      while (performance.now() < faultyUntil) {
        // Fewer in a minute than an account may make.
        await delay(50);
        for (const node of both) {
          const startedAt = performance.now();
          expect((await request(node, ana, account)).status).toBe(200);
          slowest.ms = Math.max(slowest.ms, performance.now() - startedAt);
        }
      }
      expect(slowest.ms).toBeLessThan(1_500);
      if (fault !== 'flushed') expect(both.map((node) => node.redis())).toEqual(['away', 'away']);
      await mend();
      await expect
        .poll(() => both.map((node) => node.redis()), { timeout: 5_000 })
        .toEqual(['running', 'running']);
      // Sockets that may have missed something come back; of a new one nothing is lost.
      await expect
        .poll(
          async () => {
            const socket = await listen(other, ana, posts);
            one.platform.bus.publish('document', change(fault));
            const frame = await Promise.race([socket.next(), socket.closed]);
            return typeof frame === 'object' && frame.data?.payload?.$id;
          },
          { timeout: 10_000 },
        )
        .toBe(fault);
    },
  );

  test('follow a failover that Sentinel makes', async ({ connection, onTestFinished }) => {
    const master = await startRedis();
    const replica = await startRedis('--replicaof', '127.0.0.1', String(master.port));
    const sentinel = await startSentinel(master);
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`;
    const both = [await startNode(connection.url, url), await startNode(connection.url, url)];
    const database = connect(connection.url, { size: 1 });
    onTestFinished(async () => {
      for (const part of [...both, database, sentinel, replica, master]) await part.close();
    });
    const ana = await addMember(database);
    const states = () => both.map((node) => node.redis());
    expect(states()).toEqual(['running', 'running']);
    await expect.poll(() => sentinel.countReplicas(), { timeout: 60_000 }).toBe(1);
    await master.kill();
    await expect.poll(states).toEqual(['away', 'away']);
    for (const node of both) expect((await request(node, ana, account)).status).toBe(200);
    const isMaster = () => replica.run(async (client) => (await client.role())[0]);
    await expect.poll(isMaster, { timeout: 60_000 }).toBe('master');
    await expect.poll(states, { timeout: 10_000 }).toEqual(['running', 'running']);
    const heard: string[] = [];
    both[1]?.platform.bus.subscribe('viewerChanged', ({ accountId }) => void heard.push(accountId));
    both[0]?.platform.bus.publish('viewerChanged', { accountId: ana.accountId });
    await expect.poll(() => heard).toEqual([ana.accountId]);
  });
});
