import { describe as describeAll, expect } from 'vitest';
import { guess, limitGuesses } from '../../features/accounts/limits.ts';
import { redisTest } from '../../testing/nodes/nodes.ts';
import { testSealer } from '../../testing/platform.ts';
import { redisProgram } from '../../testing/services/redis.ts';
import { limitByKey } from '../http/rate-limits.ts';
import { quietLog } from '../log.ts';
import { readRedisUrl } from './address.ts';
import { countOnRedis } from './counters.ts';
import { openRedisLink } from './link.ts';

const describe = describeAll.skipIf(redisProgram === null);

const test = redisTest.extend('open', async ({ redis }, { onCleanup }) => {
  const links = new Set<Awaited<ReturnType<typeof openRedisLink>>>();
  onCleanup(async () => {
    for (const link of links) await link.close();
  });
  /** A node with its counters. */
  return async () => {
    const link = await openRedisLink({
      address: readRedisUrl(redis.url),
      log: quietLog(),
      sealer: testSealer,
    });
    links.add(link);
    return { link, openCounter: countOnRedis(link) };
  };
});

describe('limits of nodes that share a Redis', () => {
  const options = { points: 3, seconds: 60 };

  test('are used up together, refunded and cleared together (threat-starvation)', async ({ open }) => {
    const [one, other] = [await open(), await open()].map(({ openCounter }) =>
      limitByKey(true, options, { open: openCounter, name: 'together' }),
    );
    if (!one || !other) throw new Error('There are no nodes.');
    expect([await one.allows('a'), await other.allows('a'), await one.allows('a')]).toEqual([
      true,
      true,
      true,
    ]);
    await expect(other.check('a')).rejects.toMatchObject({
      type: 'general_rate_limit_exceeded',
      retryAfter: 60,
    });
    expect(await other.allows('a')).toBe(false);
    await one.clear('a');
    expect([await other.allows('a'), await other.allows('b')]).toEqual([true, true]);
    await one.refund('a');
    await other.charge('a', 3);
    expect(await one.allows('a')).toBe(false);
  });

  test('slow guesses down wherever they are made (threat-password-guessing)', async ({ open }) => {
    const [one, other] = [await open(), await open()].map(({ openCounter }) =>
      limitGuesses(true, { free: 0, seconds: 60, longestWait: 60 }, { open: openCounter, name: 'guesses' }),
    );
    if (!one || !other) throw new Error('There are no nodes.');
    expect(await guess([[one, 'a']], async () => false)).toEqual({ right: false, retryAfter: 1 });
    await expect(guess([[other, 'a']], async () => true)).rejects.toMatchObject({ retryAfter: 2 });
    await expect(guess([[one, 'a']], async () => true)).rejects.toMatchObject({ retryAfter: 4 });
    expect(await guess([[other, 'b']], async () => true)).toEqual({ right: true });
  });

  test('keep no email or address readable on Redis', async ({ open, redis }) => {
    const { openCounter } = await open();
    const limit = limitByKey(true, options, { open: openCounter, name: 'emails' });
    await limit.consume('ana@example.com');
    const keys = await redis.run((client) => client.keys('*emails*'));
    expect(keys).toHaveLength(1);
    expect(keys.join()).not.toContain('ana');
  });

  test('are counted in memory while Redis does not answer, of which one call alone waits', async ({
    open,
    redis,
  }) => {
    const { link, openCounter } = await open();
    const limit = limitByKey(true, options, { open: openCounter, name: 'paused' });
    await expect.poll(() => link.isAvailable()).toBe(true);
    redis.pause();
    const startedAt = performance.now();
    for (let count = 0; count < 3; count++) await limit.consume('a');
    await expect(limit.consume('a')).rejects.toMatchObject({ type: 'general_rate_limit_exceeded' });
    for (let count = 0; count < 500; count++) await limit.check(`other ${count}`);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(link.isAvailable()).toBe(false);
    redis.resume();
    await expect.poll(() => link.isAvailable(), { timeout: 5_000 }).toBe(true);
    expect(await limit.allows('b')).toBe(true);
  });

  test('are opened once by each name', async ({ open }) => {
    const { openCounter } = await open();
    openCounter('twice', options);
    expect(() => openCounter('twice', options)).toThrow('Two limits are counted as twice.');
  });
});
