import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { insertMember } from '../../testing/members.ts';
import { testPlatform } from '../../testing/platform.ts';
import { testServer } from '../../testing/server.ts';
import { Problem } from '../problem.ts';
import { limitByAddress, limitByKey, type RateLimit } from './rate-limits.ts';

/** Seconds to wait; 0 when the point was counted. */
async function waitOf(limit: RateLimit, key: string): Promise<number> {
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
  for (const key of keys) if ((await waitOf(limit, key)) === 0) passed++;
  return passed;
}

describe('a limit by key', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('refuses what goes beyond it, says for how long, and begins anew afterwards', async () => {
    const limit = limitByKey(true, { points: 2, seconds: 60 });
    expect([await waitOf(limit, 'a'), await waitOf(limit, 'a')]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(20_500);
    expect(await waitOf(limit, 'a')).toBe(40);
    expect(await waitOf(limit, 'b')).toBe(0);
    // Tries that were refused do not lengthen the wait.
    await vi.advanceTimersByTimeAsync(39_500);
    expect(await waitOf(limit, 'a')).toBe(0);
  });

  it('tells whether a point was left, checks without counting, and forgets a key', async () => {
    const limit = limitByKey(true, { points: 1, seconds: 60 });
    await limit.check('a');
    await limit.check('a');
    expect([await limit.allows('a'), await limit.allows('a')]).toEqual([true, false]);
    await expect(limit.check('a')).rejects.toThrow(Problem);
    await limit.clear('a');
    expect(await limit.allows('a')).toBe(true);
  });

  it('takes points for work already done, and refuses the next', async () => {
    const limit = limitByKey(true, { points: 100, seconds: 60 });
    await limit.charge('a', 99);
    await limit.check('a');
    await limit.charge('a', 500);
    await expect(limit.check('a')).rejects.toMatchObject({ retryAfter: 60 });
  });

  it('is none when limits are off', async () => {
    const limit = limitByKey(false, { points: 1, seconds: 60 });
    expect(await passing(limit, ['a', 'a', 'a'])).toBe(3);
  });
});

describe('a limit by address', () => {
  const host = (index: number) => `2001:db8:1:1::${index.toString(16)}`;
  const subnet = (index: number) => `2001:db8:1:${index.toString(16)}::1`;
  const count = (length: number) => Array.from({ length }, (_, index) => index + 1);

  it('F10: cannot be passed by changing addresses within a /64', async () => {
    const limit = limitByAddress(true, { points: 5, seconds: 60 });
    expect(await passing(limit, count(75).map(host))).toBe(5);
  });

  it('F10: cannot be passed by changing the /64 within a /48', async () => {
    const limit = limitByAddress(true, { points: 5, seconds: 60 });
    expect(await passing(limit, count(200).map(subnet))).toBe(40);
    expect(await waitOf(limit, '2001:db8:2::1')).toBe(0);
  });

  it('cannot be used up for the neighbours by one address', async () => {
    const limit = limitByAddress(true, { points: 5, seconds: 60 });
    expect(
      await passing(
        limit,
        count(100).map(() => '203.0.113.9'),
      ),
    ).toBe(5);
    expect(await waitOf(limit, '203.0.113.10')).toBe(0);
  });

  it('counts an IPv4 address alike in both its spellings', async () => {
    const limit = limitByAddress(true, { points: 1, seconds: 60 });
    expect(await passing(limit, ['203.0.113.9', '::ffff:203.0.113.9'])).toBe(1);
  });
});

describe('all requests together', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('are limited by address, or by account; one who has used them up takes nothing of another', async () => {
    const platform = testPlatform(test.database, { RATE_LIMITS: 'on' });
    const server = await testServer(platform, (app) => {
      app.get('/cheap', async () => 'ok');
      app.get('/sandbox/cheap', async () => 'ok');
    });
    const ana = await insertMember(test.database, { name: 'Ana' });
    const ben = await insertMember(test.database, { name: 'Ben' });
    const [guest, neighbour] = ['2001:db8:3:3::1', '2001:db8:3:3::2'];
    const statusOf = async (who: typeof ana | null, remoteAddress: string, url = '/cheap') =>
      (await server.request(who, { url, remoteAddress })).statusCode;
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < 1250; sent++) {
      const status = await statusOf(null, guest);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 200: 1200, 429: 50 });
    expect(await statusOf(null, neighbour)).toBe(429);
    expect(await statusOf(null, neighbour, '/nowhere')).toBe(429);
    // A stand-in is not the product, however its address is spelled.
    expect(await statusOf(null, guest, '/sandbox/cheap')).toBe(200);
    expect(await statusOf(null, guest, '/sandbox/../cheap')).toBe(429);
    expect(await statusOf(ana, guest)).toBe(200);
    for (let sent = 0; sent < 1200; sent++) await statusOf(ana, `198.51.100.${sent % 250}`);
    expect(await statusOf(ana, '198.51.100.9')).toBe(429);
    expect(await statusOf(ben, '198.51.100.9')).toBe(200);
    await server.close();
  });
});
