import { hash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Counter, OpenCounter } from '../http/rate-limits.ts';
import type { RedisLink } from './link.ts';

/** Emails and addresses are keys of limits: Redis gets a digest of them. */
const digest = (key: string | number) => hash('sha256', String(key), 'base64url');

/** Counts on Redis, for all nodes together, and in memory while Redis is away. */
export function countOnRedis({
  commands,
  prefix,
  isAvailable,
}: Pick<RedisLink, 'commands' | 'prefix' | 'isAvailable'>): OpenCounter {
  const names = new Set<string>();
  return (name, { points, seconds }) => {
    if (names.has(name)) throw new Error(`Two limits are counted as ${name}.`);
    names.add(name);
    const inMemory = new RateLimiterMemory({ points, duration: seconds });
    const onRedis = new RateLimiterRedis({
      ...{ storeClient: commands, keyPrefix: `${prefix}limit:${name}`, points, duration: seconds },
      ...{ insuranceLimiter: inMemory, rejectIfRedisNotReady: true },
    });
    const now = (): Counter => (isAvailable() ? onRedis : inMemory);
    return {
      consume: (key, ...rest) => now().consume(digest(key), ...rest),
      penalty: (key, ...rest) => now().penalty(digest(key), ...rest),
      reward: (key, ...rest) => now().reward(digest(key), ...rest),
      block: (key, ...rest) => now().block(digest(key), ...rest),
      get: (key, ...rest) => now().get(digest(key), ...rest),
      delete: (key, ...rest) => now().delete(digest(key), ...rest),
    };
  };
}
