// `npm run bench nodes`: what a Redis and an S3 store cost a node: the same loads of a node without them and of one with both, in turn.
// Then what a message costs the database that the nodes share: one Postgres, and a coordinator whose chats are on one worker, where
// CITUS_URL names a Citus cluster on this machine. `--rounds 3` takes fewer than five. Needs redis-server and Swift
// (`scripts/setup/services.mjs`).
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { posts } from '@tara/contract/posts/posts';
import { count, readOptions } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import { chatDistributions } from '@tara/server/features/messages/index';
import { connect } from '@tara/server/platform/database/connect';
import { distributeTables } from '@tara/server/platform/database/distribute';
import { clusterUrl, createClusterDatabase } from '@tara/server/testing/cluster';
import { startRedis } from '@tara/server/testing/services/redis';
import { openSwift } from '@tara/server/testing/services/s3';
import type { ChatLoad, ChatResult } from './chat/load.ts';
import { type FeedServer, withFeedServer } from './feed/setup.ts';
import { startChild } from './measure/child.ts';
import { cpuWithChildren } from './measure/cpu.ts';
import { milliseconds, perSecond, ratio } from './measure/figures.ts';
import { median } from './measure/latencies.ts';
import { addChats } from './setup/chats.ts';
import { type BenchDatabase, openDatabase, runWorkload } from './setup/database.ts';
import { addMembers } from './setup/members.ts';
import { drawPhoto, publish, uploads } from './setup/photos.ts';
import { startServer } from './setup/server.ts';

const { rounds } = readOptions('npm run bench nodes', { rounds: count(5) });

const members = 500;
const counts = { members: 2_000, posts: 20_000, likes: 20_000, saves: 5_000 };
const load = { connections: 32, firstMember: 0, members, warmUpMs: 500, measuredMs: 3_000 };
const pairs = 200;
/** Messages per second. */
const messageRate = 500;
/** Photos of a round: CPU time is counted in steps of 10 ms. */
const photos = 4;
const photoSize = { width: 2_000, height: 1_600 };

/** What is measured of a node; all but rates are better when they are smaller. */
interface Figures {
  feedsPerSecond: number;
  feedCpuMs: number;
  viewsPerSecond: number;
  viewCpuMs: number;
  uploadMs: number;
  uploadCpuMs: number;
  messageP50: number;
  messageCpuMs: number;
}

const titles: Record<keyof Figures, { title: string; print: (figure: number) => string }> = {
  feedsPerSecond: { title: `feeds, ${load.connections} connections`, print: perSecond },
  feedCpuMs: { title: 'CPU time of a feed', print: milliseconds },
  viewsPerSecond: { title: `pictures, ${load.connections} connections`, print: perSecond },
  viewCpuMs: { title: 'CPU time of a picture', print: milliseconds },
  uploadMs: { title: 'upload of a photo of 3 megapixels', print: milliseconds },
  uploadCpuMs: { title: 'CPU time of an upload', print: milliseconds },
  messageP50: { title: `median from sending to receiving, ${messageRate} messages/s`, print: milliseconds },
  messageCpuMs: { title: 'CPU time of a message', print: milliseconds },
};

type Environment = Record<string, string>;
type Side = 'alone' | 'shared';
const sides = ['alone', 'shared'] as const satisfies Side[];
const results: Record<Side, Partial<Figures>[]> = { alone: [], shared: [] };

/** CPU time in ms of a node and its process for pictures while `work` goes on, with what that returns. */
async function withCpu<Result>(pid: number, work: () => Promise<Result>): Promise<[Result, cpuMs: number]> {
  const before = await cpuWithChildren(pid);
  const result = await work();
  return [result, (await cpuWithChildren(pid)) - before];
}

/** Reads of some paths: how many a second, and CPU time of each. */
async function measureReads({ port, pid, generator }: FeedServer, paths: readonly string[]) {
  const [{ perSecond: rate }, cpuMs] = await withCpu(pid, () => generator.ask({ ...load, port, paths }));
  return { rate, cpuMs: cpuMs / ((rate * (load.warmUpMs + load.measuredMs)) / 1000) };
}

/** Feeds, pictures and uploads of both sides in turn. */
async function measureReading(servers: Record<Side, FeedServer>): Promise<void> {
  const photo = await drawPhoto(photoSize);
  const views: Record<Side, string[]> = { alone: [], shared: [] };
  // Also starts the process for pictures.
  for (const side of sides)
    for (let index = 0; index < photos; index++)
      views[side].push(`${uploads}/${await publish(servers[side].port, photo)}/view`);
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const server = servers[side];
      const feed = await measureReads(server, [posts.feed.path]);
      const view = await measureReads(server, views[side]);
      const startedAt = performance.now();
      const [, uploadCpuMs] = await withCpu(server.pid, async () => {
        for (let index = 0; index < photos; index++) await publish(server.port, photo);
      });
      results[side].push({
        ...{ feedsPerSecond: feed.rate, feedCpuMs: feed.cpuMs },
        ...{ viewsPerSecond: view.rate, viewCpuMs: view.cpuMs },
        ...{ uploadMs: (performance.now() - startedAt) / photos, uploadCpuMs: uploadCpuMs / photos },
      });
    }
  }
}

/** Messages of both sides in turn; whether all arrived. */
async function measureMessages(
  databases: Record<Side, BenchDatabase>,
  environments: Record<Side, Environment>,
): Promise<boolean> {
  const open = async (side: Side) => {
    const database = databases[side];
    const chats = await addChats(database, { first: 0, count: pairs, kind: 'conversation' });
    const server = await startServer(database, { rateLimits: false, environment: environments[side] });
    const generator = startChild<ChatLoad, ChatResult>(new URL('./chat/load.ts', import.meta.url));
    await generator.ask({ open: 'conversation', port: server.port, chats });
    return { server, generator };
  };
  const nodes = { alone: await open('alone'), shared: await open('shared') };
  const times = { warmUpMs: 500, measuredMs: 4_000 };
  const messages = (messageRate * (times.warmUpMs + times.measuredMs)) / 1000;
  let isSustained = true;
  try {
    for (const side of sides)
      await nodes[side].generator.ask({ target: 'conversation', rate: messageRate, ...times });
    for (let round = 0; round < rounds; round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const { server, generator } = nodes[side];
        const [{ p50, sustained }, cpuMs] = await withCpu(server.pid, () =>
          generator.ask({ target: 'conversation', rate: messageRate, ...times }),
        );
        isSustained &&= sustained;
        results[side].push({ messageP50: p50, messageCpuMs: cpuMs / messages });
      }
    }
  } finally {
    await Promise.all(sides.flatMap((side) => [nodes[side].generator.stop(), nodes[side].server.stop()]));
  }
  return isSustained;
}

function printResults(): void {
  const medianBy = (side: Side, name: keyof Figures) =>
    median(results[side].map((figures) => figures[name]).filter((figure) => figure !== undefined));
  printTable(
    [`median of ${rounds}`, 'alone', 'with Redis and S3', 'times'],
    (Object.keys(titles) as (keyof Figures)[]).map((name) => {
      const { title, print } = titles[name];
      const [alone, shared] = [medianBy('alone', name), medianBy('shared', name)];
      return [title, print(alone), print(shared), ratio(shared / alone)];
    }),
  );
}

type Store = 'one' | 'worker';
const stores = ['one', 'worker'] as const satisfies Store[];
/** Messages per second: each is a transaction of its own on a cluster. */
const storeRate = 100;

/** A database of the cluster, as workloads use one. */
async function openClusterDatabase(workers: number | null): Promise<BenchDatabase> {
  const database = await createClusterDatabase({ workers });
  const dataDir = await mkdtemp(join(tmpdir(), 'tara-bench-'));
  const connection = connect(database.url, { size: 1, statementTimeout: 1_800_000 });
  await connection.sql`set session_replication_role = replica`;
  return {
    ...connection,
    ...{ url: database.url, dataDir },
    remove: async () => {
      await connection.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The id of the process that serves a database, which has a process for each connection. */
async function readServerPid({ sql }: BenchDatabase): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const stat = await readFile(`/proc/${row?.pid}/stat`, 'utf8').catch(() => {
    throw new Error('CITUS_URL must name a coordinator on this machine: its CPU time is measured.');
  });
  // Behind the name, which may contain blanks: state, parent.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** What a message costs one Postgres, and the coordinator of one worker; whether all arrived. */
async function measureStores(): Promise<boolean> {
  const databases: Record<Store, BenchDatabase> = {
    one: await openClusterDatabase(null),
    worker: await openClusterDatabase(1),
  };
  const times = { warmUpMs: 500, measuredMs: 4_000 };
  const messages = (storeRate * (times.warmUpMs + times.measuredMs)) / 1000;
  const figures: Record<Store, { cpuMs: number; p50: number }[]> = { one: [], worker: [] };
  let isSustained = true;
  const open = async (store: Store) => {
    const database = databases[store];
    await addMembers(database, pairs * 2);
    const chats = await addChats(database, { first: 0, count: pairs, kind: 'conversation' });
    if (store === 'worker') await distributeTables(database.url, chatDistributions, { say: () => {} });
    const server = await startServer(database, { rateLimits: false });
    const generator = startChild<ChatLoad, ChatResult>(new URL('./chat/load.ts', import.meta.url));
    await generator.ask({ open: 'conversation', port: server.port, chats });
    return { server, generator, pid: await readServerPid(database) };
  };
  try {
    const nodes = { one: await open('one'), worker: await open('worker') };
    const load = { target: 'conversation', rate: storeRate, ...times } as const;
    try {
      for (const store of stores) await nodes[store].generator.ask(load);
      for (let round = 0; round < rounds; round++) {
        for (const store of round % 2 === 0 ? stores : stores.toReversed()) {
          const { pid, generator } = nodes[store];
          const [{ p50, sustained }, cpuMs] = await withCpu(pid, () => generator.ask(load));
          isSustained &&= sustained;
          figures[store].push({ cpuMs: cpuMs / messages, p50 });
        }
      }
    } finally {
      await Promise.all(
        stores.flatMap((store) => [nodes[store].generator.stop(), nodes[store].server.stop()]),
      );
    }
  } finally {
    for (const store of stores) await databases[store].remove();
  }
  const rows = [
    ['CPU time of a message in the database that nodes share', 'cpuMs'],
    [`median from sending to receiving, ${storeRate} messages/s`, 'p50'],
  ] as const;
  printTable(
    [`median of ${rounds}`, 'one Postgres', 'coordinator of one worker', 'times'],
    rows.map(([title, name]) => {
      const [one, worker] = stores.map((store) => median(figures[store].map((figure) => figure[name])));
      return [title, milliseconds(one ?? 0), milliseconds(worker ?? 0), ratio((worker ?? 0) / (one ?? 0))];
    }),
  );
  return isSustained;
}

await runWorkload(async (own) => {
  const other = await openDatabase();
  const redis = await startRedis();
  const store = await openSwift();
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = store.settings;
  const environments: Record<Side, Environment> = {
    alone: {},
    shared: {
      REDIS_URL: redis.url,
      ...{ S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region },
      ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
    },
  };
  try {
    await withFeedServer(own, { counts, rateLimits: true }, (alone) =>
      withFeedServer(
        other,
        { counts, rateLimits: true, environment: environments.shared },
        async (shared) => {
          await measureReading({ alone, shared });
          return true;
        },
      ),
    );
    let isSustained = await measureMessages({ alone: own, shared: other }, environments);
    printResults();
    if (clusterUrl === undefined)
      console.log('Skipped: what a message costs a coordinator. CITUS_URL names no Citus cluster.');
    else isSustained = (await measureStores()) && isSustained;
    if (!isSustained) console.log('Not all messages arrived in time.');
    return isSustained;
  } finally {
    await store.stop();
    await redis.close();
    await other.remove();
  }
});
