import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@tara/proof/random';
import { waitFor } from '../outside.ts';
import type { Nodes } from './nodes.ts';
import type { Part } from './outages.ts';
import type { RedisPair } from './services.ts';

interface FaultKind {
  part: Part;
  /** Takes the part away, and brings it back. */
  run(nodes: Nodes, random: Random): Promise<void>;
}

const onBoth = async ({ both }: RedisPair, act: (server: RedisPair['both'][number]) => unknown) => {
  await Promise.all(both.map(act));
};

/** Times without a part, ms. */
const killedMs = 5_000;
const pausedMs = 20_000;
const fullMs = 10_000;
const storeAwayMs = 30_000;

/** The faults of `npm run chaos nodes`, by their names. */
export const faultKinds = {
  'node killed': {
    part: 'node',
    run: async ({ nodes }, random) => {
      const node = random.pick(nodes);
      await node.kill();
      await node.start();
    },
  },
  // Both, so that the Sentinel has nobody to make the master.
  'Redis killed': {
    part: 'redis',
    run: async ({ services: { redis } }) => {
      await onBoth(redis, (server) => server.kill());
      await delay(killedMs);
      await onBoth(redis, (server) => server.start());
    },
  },
  'Redis paused': {
    part: 'redis',
    run: async ({ services: { redis } }) => {
      await onBoth(redis, (server) => server.pause());
      await delay(pausedMs);
      await onBoth(redis, (server) => server.resume());
    },
  },
  'Redis failed over': {
    part: 'redis',
    run: async ({ services: { redis } }) => {
      const master = await redis.master();
      await master.kill();
      await waitFor('master', async () => (await redis.master()) !== master);
      await master.start();
    },
  },
  'Redis flushed': {
    part: 'redis',
    run: async ({ services: { redis } }) =>
      void (await (await redis.master()).run((client) => client.flushall())),
  },
  'Redis out of memory': {
    part: 'redis',
    run: async ({ services: { redis } }) => {
      const master = await redis.master();
      await master.run((client) => client.config('SET', 'maxmemory', '1mb'));
      await delay(fullMs);
      await master.run((client) => client.config('SET', 'maxmemory', '0'));
    },
  },
  'Postgres restarted': {
    part: 'database',
    run: ({ services: { postgres } }) => postgres.restart(),
  },
  'S3 store away': {
    part: 'store',
    run: async ({ services: { store } }, random) => {
      if (random.chance(0.5)) store.cut();
      else store.stall();
      await delay(storeAwayMs);
      await store.join();
    },
  },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof faultKinds;

/** What a node says of its parts that it has not; empty when it is ready with all of them. */
async function missingParts({ url }: { url: string }): Promise<string> {
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  if (answer === null) return 'no answer';
  const text = await answer.text();
  return answer.ok && /"files":"stored"/.test(text) && /"redis":"running"/.test(text) ? '' : text;
}

/** Whether a replica follows the master, which the next failover needs. */
const hasReplica = async ({ master }: RedisPair) => {
  const server = await master();
  const roles = await server.run((client) => client.info('replication')).catch(() => '');
  return /state=online/.test(roles);
};

/** Waits until every node has all parts; returns when, ms since the epoch. @throws Error with what they say after two minutes */
export async function untilReady({ nodes }: Nodes): Promise<number> {
  let missing: string[] = [];
  const look = async () => {
    missing = await Promise.all(nodes.map(missingParts));
    return missing.every((part) => part === '');
  };
  await waitFor('node with all parts', look, { timeoutMs: 120_000 }).catch((error: unknown) => {
    throw new Error(`The nodes are not ready: ${missing.join(' · ')}`, { cause: error });
  });
  return Date.now();
}

/** Waits until the next fault can be made. */
export const untilWhole = async ({ services: { redis } }: Nodes): Promise<void> =>
  void (await waitFor('replica of Redis', () => hasReplica(redis), { timeoutMs: 120_000 }));
