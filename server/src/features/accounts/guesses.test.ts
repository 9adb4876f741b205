import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Problem } from '../../platform/problem.ts';
import { type GuessLimit, guess, limitGuesses } from './limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const right = async () => true;
const wrong = async () => false;
const hour = 3600;
const own = () => limitGuesses(true, { free: 0, seconds: 6 * hour, longestWait: 300 });

/** Seconds to wait that a refusal names; null when the guess was tried. */
async function refusal(limit: GuessLimit, isRight = wrong, key = 'a'): Promise<number | null> {
  try {
    await guess([[limit, key]], isRight);
    return null;
  } catch (error) {
    if (error instanceof Problem && error.type === 'general_rate_limit_exceeded')
      return error.retryAfter ?? 0;
    throw error;
  }
}
const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

it('a guesser who waits as long as required must wait longer each time, up to five minutes', async () => {
  const limit = own();
  const waits: (number | undefined)[] = [];
  for (let tries = 0; tries < 12; tries++) {
    const { retryAfter } = await guess([[limit, 'a']], wrong);
    waits.push(retryAfter);
    expect(await refusal(limit, right)).toBeGreaterThan(0);
    await wait(300);
  }
  expect(waits[0]).toBe(1);
  expect(waits.toSorted((a, b) => Number(a) - Number(b))).toEqual(waits);
  expect(waits.at(-1)).toBe(300);
});

it('a guesser who does not wait gets no second guess, and a longer wait each time', async () => {
  const limit = own();
  let tried = 0;
  const waits: (number | null)[] = [];
  for (let sent = 0; sent < 14; sent++) {
    waits.push(
      await refusal(limit, async () => {
        tried++;
        return false;
      }),
    );
  }
  expect(tried).toBe(1);
  expect(waits).toEqual([null, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300, 300]);
});

it('a guesser who keeps trying may sign in after the longest wait', async () => {
  const limit = own();
  for (let sent = 0; sent < 12; sent++) await refusal(limit);
  await wait(299);
  expect(await refusal(limit)).toBe(1);
  await wait(1);
  expect(await refusal(limit, right)).toBeNull();
  expect(await guess([[limit, 'a']], wrong)).toEqual({ right: false, retryAfter: 1 });
});

it('where others fail, nobody waits longer than a minute, however often they try', async () => {
  const limit = limitGuesses(true, { free: 0, seconds: hour, longestWait: 60 });
  const waits: (number | null)[] = [];
  for (let sent = 0; sent < 30; sent++) waits.push(await refusal(limit));
  expect(waits.slice(0, 9)).toEqual([null, 2, 4, 8, 16, 32, 60, 60, 60]);
  await wait(60);
  expect(await refusal(limit, right)).toBeNull();
});

it('a guesser gets no further guesses by sending them at once (threat-password-guessing)', async () => {
  const limit = own();
  let tried = 0;
  const slowly = async () => {
    tried++;
    await wait(0);
    return false;
  };
  const refusals = await Promise.all(Array.from({ length: 50 }, () => refusal(limit, slowly)));
  expect(tried).toBe(1);
  expect(refusals.filter((seconds) => seconds === null)).toHaveLength(1);
});

it('a guesser gets less than twenty guesses an hour of one key, and fewer of each later hour', async () => {
  const limit = own();
  let tried = 0;
  const perHour: number[] = [];
  for (let hours = 0; hours < 6; hours++) {
    const before = tried;
    for (let passed = 0; passed < hour; passed += 5) {
      await refusal(limit, async () => {
        tried++;
        return false;
      });
      await wait(5);
    }
    perHour.push(tried - before);
  }
  expect(Math.max(...perHour)).toBeLessThan(20);
  expect(perHour.at(-1)).toBeLessThanOrEqual(12);
});

it('a success forgets the failures; other keys never wait', async () => {
  const limit = own();
  await guess([[limit, 'a']], wrong);
  expect(await refusal(limit, right, 'b')).toBeNull();
  await wait(1);
  await guess([[limit, 'a']], right);
  expect(await guess([[limit, 'a']], wrong)).toEqual({ right: false, retryAfter: 1 });
});

it('guesses from many addresses are slowed down together beyond the free ones, also when sent at once (threat-password-guessing)', async () => {
  const all = limitGuesses(true, { free: 100, seconds: hour, longestWait: 60 });
  let tried = 0;
  const send = async (address: number) => {
    const limits = [
      [own(), `${address}`],
      [all, 'email'],
    ] as const;
    await guess(limits, async () => {
      tried++;
      await wait(0);
      return false;
    }).catch(() => {});
  };
  await Promise.all(Array.from({ length: 1000 }, (_, address) => send(address)));
  expect(tried).toBe(101);
});

it('a guess that was never tried does not count', async () => {
  const limit = own();
  const failing = () => Promise.reject(new Error('the database is away'));
  for (let tries = 0; tries < 5; tries++)
    await expect(guess([[limit, 'a']], failing)).rejects.toThrow('away');
  expect(await guess([[limit, 'a']], wrong)).toEqual({ right: false, retryAfter: 1 });

  const shared = limitGuesses(true, { free: 0, seconds: hour, longestWait: 60 });
  await guess([[shared, 'email']], wrong);
  const mine = own();
  const both = [
    [mine, 'mine'],
    [shared, 'email'],
  ] as const;
  await expect(guess(both, right)).rejects.toThrow(Problem);
  expect(await refusal(mine, right, 'mine')).toBeNull();
});

it('is none when limits are off', async () => {
  const limit = limitGuesses(false, { free: 0, seconds: hour, longestWait: 60 });
  for (let tries = 0; tries < 5; tries++)
    expect(await guess([[limit, 'a']], wrong)).toEqual({ right: false });
});
