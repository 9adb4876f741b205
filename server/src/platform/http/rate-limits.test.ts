import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { type TestPlatform, testPlatform } from '../../testing/platform.ts';
import { testServer } from '../../testing/server.ts';
import { test } from '../../testing/test.ts';
import { Problem } from '../problem.ts';
import { limitByAddress, limitByKey, limitRequests, type RateLimit } from './rate-limits.ts';

/** Seconds to wait; 0 when the point was counted. */
async function readWaitSeconds(limit: RateLimit, key: string): Promise<number> {
  try {
    await limit.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof Problem && error.type === 'general_rate_limit_exceeded')
      return error.retryAfter ?? -1;
    throw error;
  }
}

/** How many of these keys are let through, one after the other. */
async function passing(limit: RateLimit, keys: string[]): Promise<number> {
  let passed = 0;
  for (const key of keys) if ((await readWaitSeconds(limit, key)) === 0) passed++;
  return passed;
}

describe('a limit by key', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('refuses what goes beyond it, says for how long, and counts from zero afterwards', async () => {
    const limit = limitByKey(true, { points: 2, seconds: 60 });
    expect([await readWaitSeconds(limit, 'a'), await readWaitSeconds(limit, 'a')]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(20_500);
    expect(await readWaitSeconds(limit, 'a')).toBe(40);
    expect(await readWaitSeconds(limit, 'b')).toBe(0);
    // Tries that were refused do not lengthen the wait.
    await vi.advanceTimersByTimeAsync(39_500);
    expect(await readWaitSeconds(limit, 'a')).toBe(0);
  });

  test('says whether a point was left, checks without counting, and forgets a key', async () => {
    const limit = limitByKey(true, { points: 1, seconds: 60 });
    await limit.check('a');
    await limit.check('a');
    expect(await limit.allows('a')).toBe(true);
    await expect(limit.check('a')).rejects.toThrow(Problem);
    expect(await limit.allows('a')).toBe(false);
    await limit.clear('a');
    expect(await limit.allows('a')).toBe(true);
  });

  test('takes points for work already done, and refuses the next', async () => {
    const limit = limitByKey(true, { points: 100, seconds: 60 });
    await limit.charge('a', 99);
    await limit.check('a');
    await limit.charge('a', 500);
    await expect(limit.check('a')).rejects.toMatchObject({ retryAfter: 60 });
  });

  test('gives a point back, and never more than were used', async () => {
    const limit = limitByKey(true, { points: 2, seconds: 60 });
    expect(await passing(limit, ['a', 'a', 'a'])).toBe(2);
    await limit.clear('a');
    expect(await passing(limit, ['a', 'a'])).toBe(2);
    await limit.refund('a');
    expect(await passing(limit, ['a', 'a'])).toBe(1);
    expect(await passing(limit, ['b'])).toBe(1);
    for (const _ of [1, 2]) await limit.refund('b');
    expect(await passing(limit, ['b', 'b', 'b'])).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    await limit.refund('a');
    expect(await passing(limit, ['a', 'a', 'a'])).toBe(2);
  });

  test('is none when limits are off', async () => {
    const limit = limitByKey(false, { points: 1, seconds: 60 });
    expect(await passing(limit, ['a', 'a', 'a'])).toBe(3);
  });
});

describe('a limit by address', () => {
  const host = (index: number) => `2001:db8:1:1::${index.toString(16)}`;
  const subnet = (index: number) => `2001:db8:1:${index.toString(16)}::1`;
  const count = (length: number) => Array.from({ length }, (_, index) => index + 1);

  test('F10: cannot be passed by changing addresses within a /64 (threat-starvation)', async () => {
    const limit = limitByAddress(true, { points: 5, seconds: 60 });
    expect(await passing(limit, count(75).map(host))).toBe(5);
  });

  test('F10: cannot be passed by changing the /64 within a /48 (threat-starvation)', async () => {
    const limit = limitByAddress(true, { points: 5, seconds: 60 });
    expect(await passing(limit, count(200).map(subnet))).toBe(40);
    expect(await readWaitSeconds(limit, '2001:db8:2::1')).toBe(0);
  });

  test('cannot be used up for the neighbours by one address', async () => {
    const limit = limitByAddress(true, { points: 5, seconds: 60 });
    expect(
      await passing(
        limit,
        count(100).map(() => '203.0.113.9'),
      ),
    ).toBe(5);
    expect(await readWaitSeconds(limit, '203.0.113.10')).toBe(0);
  });

  test('counts an IPv4 address alike in both its spellings', async () => {
    const limit = limitByAddress(true, { points: 1, seconds: 60 });
    expect(await passing(limit, ['203.0.113.9', '::ffff:203.0.113.9'])).toBe(1);
  });
});

describe('all requests together', () => {
  const url = '/cheap';
  const open = async (platform: TestPlatform, perMinute: number) =>
    testServer(platform, (app) => {
      app.addHook('onRequest', limitRequests(perMinute));
      app.get(url, async () => 'ok');
      app.get('/sandbox/cheap', async () => 'ok');
    });

  test('are limited by address, or by account; one who has used them up takes nothing of another (threat-starvation)', async ({
    database,
    platform,
  }) => {
    const server = await open(platform, 20);
    const ana = await insertMember(database, { name: 'Ana' });
    const ben = await insertMember(database, { name: 'Ben' });
    const [guest, neighbour] = ['2001:db8:3:3::1', '2001:db8:3:3::2'];
    const fetchStatus = async (who: typeof ana | null, remoteAddress: string, path = url) =>
      (await server.request(who, { url: path, remoteAddress })).statusCode;
    const statuses: number[] = [];
    // Of an account 20, of the guests of an address five times as many.
    for (let sent = 0; sent < 105; sent++) statuses.push(await fetchStatus(null, guest));
    expect(statuses).toEqual([...Array(100).fill(200), ...Array(5).fill(429)]);
    expect(await fetchStatus(null, neighbour)).toBe(429);
    expect(await fetchStatus(null, neighbour, '/nowhere')).toBe(429);
    // A stand-in is not the product, however its address is spelled.
    expect(await fetchStatus(null, guest, '/sandbox/cheap')).toBe(200);
    expect(await fetchStatus(null, guest, '/sandbox/../cheap')).toBe(429);
    expect(await fetchStatus(ana, guest)).toBe(200);
    for (let sent = 0; sent < 20; sent++) await fetchStatus(ana, `198.51.100.${sent}`);
    expect(await fetchStatus(ana, '198.51.100.9')).toBe(429);
    expect(await fetchStatus(ben, '198.51.100.9')).toBe(200);
    await server.close();
  });

  test('are 1,200 a minute of an account, and 6,000 of an address, in the server that runs', async ({
    database,
  }) => {
    const server = await testServer(testPlatform(database, { RATE_LIMITS: 'on' }), (app) =>
      app.get(url, async () => 'ok'),
    );
    const ana = await insertMember(database, { name: 'Ana' });
    const countAnswers = async (who: typeof ana | null, requests: number) => {
      const statuses: Record<number, number> = {};
      for (let sent = 0; sent < requests; sent++) {
        const { statusCode } = await server.request(who, { url, remoteAddress: '203.0.113.9' });
        statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
      }
      return statuses;
    };
    expect(await countAnswers(ana, 1_201)).toEqual({ 200: 1_200, 429: 1 });
    expect(await countAnswers(null, 6_001)).toEqual({ 200: 6_000, 429: 1 });
    await server.close();
  });
});
