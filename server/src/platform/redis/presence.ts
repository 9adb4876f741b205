import type { Bus } from '../bus.ts';
import type { Topics } from '../documents.ts';
import type { Log } from '../log.ts';
import { goneMs, type RedisLink } from './link.ts';

/** ms between two renewals of what a node has on Redis. */
const renewMs = 4_000;
/** Accounts written by one command. */
const batchSize = 1_000;

interface PresenceOptions {
  link: Pick<RedisLink, 'nodeId' | 'prefix' | 'commands' | 'isAvailable' | 'others'>;
  bus: Bus<Topics>;
  log: Log;
  /** Accounts with a socket on this node. */
  onlineAccounts: ReadonlySet<string>;
}

/**
 * Keeps the accounts with a socket on this node as a set on Redis, which expires when the node no longer renews it.
 * @returns whether an account has a socket on another node; false while Redis is away.
 */
export function sharePresence({ link, bus, log, onlineAccounts }: PresenceOptions): {
  isElsewhere(accountId: string): Promise<boolean>;
  close(): Promise<void>;
} {
  const { commands } = link;
  const nodeKey = (id: string) => `${link.prefix}online:${id}`;
  const key = nodeKey(link.nodeId);

  /** Whether a change could not be written: the set on Redis is of as many perhaps, but of others. */
  let isBehind = false;

  const rewrite = async () => {
    isBehind = false;
    const accounts = [...onlineAccounts];
    const transaction = commands.multi().del(key);
    for (let start = 0; start < accounts.length; start += batchSize)
      transaction.sadd(key, accounts.slice(start, start + batchSize));
    await transaction.pexpire(key, goneMs).exec();
  };

  /** What was changed while Redis was away, or forgotten by it, is written anew. */
  const renew = async () => {
    if (!link.isAvailable()) return;
    const size = onlineAccounts.size;
    const [, count] = await Promise.all([commands.pexpire(key, goneMs), commands.scard(key)]);
    if (count !== size || isBehind) await rewrite();
  };

  const warn = (error: unknown) => {
    isBehind = true;
    log.debug({ err: error }, 'who is online could not be written to Redis');
  };
  const renewing = setInterval(() => void renew().catch(warn), renewMs).unref();
  const end = bus.subscribe('presenceChanged', async ({ accountId, cause }, origin) => {
    if (origin !== 'here' || cause !== 'connection') return;
    isBehind ||= !link.isAvailable();
    if (!link.isAvailable()) return;
    try {
      if (isBehind) await rewrite();
      else if (onlineAccounts.has(accountId))
        await commands.multi().sadd(key, accountId).pexpire(key, goneMs).exec();
      else await commands.srem(key, accountId);
    } catch (error) {
      warn(error);
    }
  });

  return {
    async isElsewhere(accountId) {
      const others = link.others();
      if (others.length === 0 || !link.isAvailable()) return false;
      try {
        const answers = await Promise.all(others.map((id) => commands.sismember(nodeKey(id), accountId)));
        return answers.includes(1);
      } catch {
        return false;
      }
    },
    async close() {
      clearInterval(renewing);
      end();
      if (link.isAvailable()) await commands.del(key).catch(warn);
    },
  };
}
