import type { Config } from '../config.ts';
import { openBus } from './bus.ts';
import type { Topics } from './documents.ts';
import { countInMemory } from './http/rate-limits.ts';
import type { Log } from './log.ts';
import type { JoinedNode } from './nodes/join.ts';
import { singleNode } from './nodes/others.ts';
import type { Platform } from './platform.ts';
import type { Sealer } from './seal.ts';

/** What nodes share, or what a single node has in its memory. */
interface Shared {
  parts: Pick<Platform, 'bus' | 'nodes' | 'onlineAccounts' | 'isOnline' | 'openCounter'>;
  /** For `/readyz`. */
  details(): { redis?: 'running' | 'away' };
  close(): Promise<void>;
}

/**
 * Opens the bus, presence and counters: on Redis where `REDIS_URL` names one, else in memory.
 * @param node this one in the list of nodes; without it only those are known that are heard
 * @throws StartRefused when a person has to change `REDIS_URL`
 */
export async function openShared(
  { redis: address }: Pick<Config, 'redis'>,
  { log, sealer }: { log: Log; sealer: Pick<Sealer, 'sign'> },
  node?: Pick<JoinedNode, 'id' | 'others'>,
): Promise<Shared> {
  const onlineAccounts = new Set<string>();
  if (address === undefined) {
    const isOnline = async (accountId: string) => onlineAccounts.has(accountId);
    const bus = openBus<Topics>(log);
    const parts = { bus, onlineAccounts, isOnline, nodes: singleNode, openCounter: countInMemory };
    return { parts, details: () => ({}), close: async () => {} };
  }
  // A single node loads none of it.
  const { openRedisLink } = await import('./redis/link.ts');
  const { countOnRedis } = await import('./redis/counters.ts');
  const { sharePresence } = await import('./redis/presence.ts');
  const listed = node && { nodeId: node.id, listNodes: node.others };
  const link = await openRedisLink({ address, log, sealer, ...listed });
  const bus = openBus<Topics>(log, link);
  link.onMissed(() => bus.here.publish('messagesMissed', {}));
  link.onGone(() => bus.here.publish('nodeGone', {}));
  const presence = sharePresence({ link, bus, log, onlineAccounts });
  const isOnline = async (accountId: string) =>
    onlineAccounts.has(accountId) || (await presence.isElsewhere(accountId));
  return {
    parts: { bus, onlineAccounts, isOnline, nodes: link, openCounter: countOnRedis(link) },
    details: () => ({ redis: link.state() }),
    close: async () => {
      await presence.close();
      await link.close();
    },
  };
}
