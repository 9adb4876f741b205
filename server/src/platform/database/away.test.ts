import { expect, test, vi } from 'vitest';
import { runAs } from '../work.ts';
import { DatabaseAway, watchAway } from './away.ts';

/** ms: far less than a call waits. */
const atOnceMs = 200;

async function refusedAfter(wait: () => Promise<void>): Promise<number> {
  const askedAt = performance.now();
  await expect(wait()).rejects.toThrow(DatabaseAway);
  return performance.now() - askedAt;
}

test('a call waits once for a database that is away, however often it asks, and the next one again', async () => {
  const away = watchAway(() => Promise.reject(new Error('Nobody answers.')));
  away.noteLoss();
  const call = () =>
    runAs('browsing', async () => [await refusedAfter(away.wait), await refusedAfter(away.wait)]);
  for (const [first, second] of [await call(), await call()]) {
    expect(first).toBeGreaterThan(400);
    expect(first).toBeLessThan(1_500);
    expect(second).toBeLessThan(atOnceMs);
  }
  away.end();
});

test('who waits goes on once the database is back, with new connections where it had not answered at first', async () => {
  const onBack = vi.fn<() => void>();
  let isThere = true;
  const away = watchAway(async () => {
    if (!isThere) throw new Error('Nobody answers.');
  }, onBack);
  away.noteLoss();
  await away.wait();
  expect([away.isAway(), onBack.mock.calls.length]).toEqual([false, 0]);
  isThere = false;
  away.noteLoss();
  const waiting = away.wait();
  setTimeout(() => {
    isThere = true;
  }, 100);
  await waiting;
  expect([away.isAway(), onBack.mock.calls.length]).toEqual([false, 1]);
});
