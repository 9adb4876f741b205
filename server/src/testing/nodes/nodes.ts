import { readConfig } from '../../config.ts';
import { connect } from '../../platform/database/connect.ts';
import { openLog } from '../../platform/log.ts';
import { openShared } from '../../platform/shared.ts';
import { announcedRecord, startBackend, type TestBackend } from '../backend/backend.ts';
import { realtimeClient } from '../backend/realtime-client.ts';
import type { TestMember } from '../features/sessions.ts';
import { testSealer } from '../platform.ts';
import { type RedisServer, startRedis } from '../services/redis.ts';
import { test } from '../test.ts';

/** A node of a test: its server, and what `/readyz` says of its Redis. */
export interface TestNode extends TestBackend {
  redis(): 'running' | 'away' | undefined;
}

/** Starts a node on a database and a Redis, with connections of its own, as in a process of its own. */
export async function startNode(
  databaseUrl: string,
  redisUrl: string,
  environment: Record<string, string> = {},
): Promise<TestNode> {
  const connection = connect(databaseUrl, { size: 4, statementTimeout: 60_000 });
  const config = readConfig({ REDIS_URL: redisUrl }, []);
  const shared = await openShared(config, { log: openLog({ level: 'silent' }), sealer: testSealer });
  const backend = await startBackend(connection, environment, {
    read: announcedRecord,
    shared: shared.parts,
  });
  return {
    ...backend,
    redis: () => shared.details().redis,
    close: async () => {
      await backend.close();
      await shared.close();
      await connection.close();
    },
  };
}

/** A test with a Redis of its own. */
export const redisTest = test.extend(
  'redis',
  { scope: 'file' },
  async ({ environment: _ }, { onCleanup }) => {
    const redis: RedisServer = await startRedis();
    onCleanup(() => redis.close());
    return redis;
  },
);

/** A test with two nodes, `one` and `other`, on one database and a Redis of their own, and clients of either. */
export const nodesTest = (environment: Record<string, string> = {}) =>
  test
    .extend('redis', { scope: 'file' }, async ({ connection: _ }, { onCleanup }) => {
      const redis: RedisServer = await startRedis();
      onCleanup(() => redis.close());
      return redis;
    })
    .extend('one', { scope: 'file' }, async ({ connection, redis }, { onCleanup }) => {
      const node = await startNode(connection.url, redis.url, environment);
      onCleanup(() => node.close());
      return node;
    })
    .extend('other', { scope: 'file' }, async ({ connection, redis }, { onCleanup }) => {
      const node = await startNode(connection.url, redis.url, environment);
      onCleanup(() => node.close());
      return node;
    })
    /** A client of a node that listens to channels. */
    .extend('listen', async ({ one: _ }, { onCleanup }) => {
      const clients = new Set<ReturnType<typeof realtimeClient>>();
      onCleanup(() => {
        for (const { socket } of clients) socket.terminate();
      });
      return async (node: TestNode, who: Pick<TestMember, 'secret'>, ...channels: string[]) => {
        const client = realtimeClient(node.url, who.secret);
        clients.add(client);
        await client.next();
        client.say('subscribe', [{ subscriptionId: 's1', channels, queries: [] }]);
        await client.next();
        return client;
      };
    });

/** What a member's call of a node answers. */
export const request = (node: TestNode, who: Pick<TestMember, 'secret'>, path: string, method = 'GET') =>
  fetch(`${node.url}${path}`, { method, headers: { 'x-appwrite-session': who.secret } });
