import { test as base, describe, expect } from 'vitest';
import { chatDistributions } from './features/messages/index.ts';
import { connect, timeLimits } from './platform/database/connect.ts';
import { distributeTables } from './platform/database/distribute.ts';
import { clusterUrl, createClusterDatabase, withoutCluster } from './testing/cluster.ts';
import { jobHelpers } from './testing/growth/calls.ts';
import { idOf } from './testing/growth/fill.ts';
import { openShardMeter, type SpreadStatement } from './testing/growth/shards.ts';
import { works } from './testing/growth/works.ts';
import { openMeasuredWorld } from './testing/growth/world.ts';

/** ms for the first test, which fills a database and does all work once. */
const timeout = 1_800_000;

const searchingJob = 'a job that looks for chats among all';
const ownRows = 'reads or removes the rows of a member wherever they are, in a job';
const ownChats =
  'is filtered and ordered by what the chats of a member are now: it asks the shards of those, which is bounded by the member';
const messageId = 'names a message by its id alone, which does not say its chat; our own pages name the chat';

/** Work that asks several shards at once, with the reason. */
const exceptions: Record<string, string> = {
  'job messages.removeUnsent': searchingJob,
  'job messages.repairLists': searchingJob,
  'job conversations.notifyExpiring': searchingJob,
  'job personalData.delete': ownRows,
  'job personalData.export': ownRows,
  'conversations.updateSettings':
    'shows or hides the read marks of a member in all of their chats at once, from the reply on: it asks the shards of those',
  'documents.list conversations': ownChats,
  'documents.list of few conversations': ownChats,
  'documents.list conversationReceipts': ownChats,
  'documents.list of few conversationReceipts': ownChats,
  'documents.list chats': 'lists the messages of all chats of a member; with the id of one it asks one shard',
  'documents.list chatReceipts':
    'lists the messages of all chats of a member; with the id of one it asks one shard',
  ...Object.fromEntries(
    ['get', 'create', 'update', 'delete'].flatMap((kind) =>
      ['chats', 'chatReceipts'].map((collection) => [`documents.${kind} ${collection}`, messageId]),
    ),
  ),
};

async function openShardedWorld(share: number) {
  const stored = await createClusterDatabase();
  let hear = (_: string): void => {};
  const world = await openMeasuredWorld(share, 2, {
    ...{ stored, sharded: true },
    onFilled: async () => {
      await distributeTables(stored.url, chatDistributions, { say: () => {} });
    },
    openMeasured: async () => {
      const { statementTimeout } = timeLimits.background;
      const connection = connect(stored.url, {
        ...{ size: 1, lasts: true, statementTimeout },
        onNotice: (text) => hear(text),
      });
      const meter = await openShardMeter(connection.sql, stored.sql);
      hear = meter.hear;
      return { connection, meter };
    },
  });
  const spread: Record<string, SpreadStatement[]> = {};
  const failures: Record<string, string> = {};
  for (const work of works) {
    try {
      const statements = await world.meter.measure(await work.prepare(world, 0));
      if (statements.length > 0) spread[work.name] = statements;
    } catch (error) {
      failures[work.name] = String(error);
    }
  }
  return { world, spread, failures };
}

const test = base
  .extend('share', { scope: 'file' }, 0.01)
  .extend('sharded', { scope: 'file' }, async ({ share }, { onCleanup }) => {
    const sharded = await openShardedWorld(share);
    onCleanup(() => sharded.world.close());
    return sharded;
  });

describe.skipIf(!clusterUrl)(
  `on a Citus cluster whose tables of chats are distributed${withoutCluster}`,
  { timeout },
  () => {
    test('every call, job and event does what it does on one Postgres', ({ sharded }) => {
      expect(sharded.failures).toEqual({});
    });

    test('each asks one shard by one statement, but for those with reasons', ({ sharded }) => {
      const unexpected = Object.entries(sharded.spread).filter(([name]) => !Object.hasOwn(exceptions, name));
      expect(Object.fromEntries(unexpected)).toEqual({});
    });

    test('each of those with reasons needs it', ({ sharded }) => {
      expect(Object.keys(exceptions).filter((name) => !Object.hasOwn(sharded.spread, name))).toEqual([]);
    });

    test('a statement that asks all shards is noticed', async ({ sharded: { world } }) => {
      const { database } = world.platform;
      const one = await world.meter.measure(() => database.execute("select from chats where id = 'none'"));
      const all = await world.meter.measure(() => database.execute('select count(*) from chats'));
      expect(one).toEqual([]);
      expect(all).toMatchObject([{ shards: 32 }]);
    });

    test('the deletion of an account leaves the messages of others', async ({ sharded: { world } }) => {
      const { sql, jobs } = world;
      const [account, profileId] = [idOf('account', 303), idOf('profile', 303)];
      const count = async () => {
        const [row] = await sql<{ own: number; others: number }[]>`
        select count(*) filter (where user_id = ${profileId})::int as own,
          count(*) filter (where user_id <> ${profileId})::int as others
        from messages where body = 'Deleted message'`;
        return row;
      };
      const before = await count();
      await jobs['personalData.delete']({ accountId: account }, jobHelpers(world));
      const after = await count();
      expect(after?.own).toBeGreaterThan(0);
      expect(after?.others).toBe(before?.others);
    });
  },
);
