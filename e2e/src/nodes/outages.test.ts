import { expect, test } from 'vitest';
import type { Attempt } from '../client.ts';
import { type Fault, lateness, longestError, measureOutage } from './outages.ts';

const attempt = (startedAt: number, change: Partial<Attempt> = {}): Attempt => ({
  ...{ path: '/api/post/feed', status: 200, hasRetryAfter: false, startedAt, endedAt: startedAt + 10 },
  ...change,
});
const refusal = { status: 503, hasRetryAfter: true };
const fault = (change: Partial<Fault> = {}): Fault => ({
  ...{ name: 'killed', part: 'redis', beganAt: 0, backAt: 10_000, readyAt: 10_500 },
  ...change,
});

test('failures that follow each other closely are one error, whatever succeeds between them', () => {
  const failures = [0, 1_000, 2_000, 9_000].map((at) => attempt(at, { status: 502 }));
  expect(longestError([...failures, attempt(1_500)])).toBe(2_010);
  expect(longestError([attempt(0), attempt(1_000, { status: 404 })])).toBe(0);
  expect(longestError([attempt(0, { endedAt: 6_000 })])).toBe(6_000);
});

test('calls that do without a part may fail for 5 s, and those that need it answer 503 with Retry-After within 2 s', () => {
  const long = Array.from({ length: 7 }, (_, second) => attempt(second * 1_000, refusal));
  expect(measureOutage(fault(), long).breaches).toEqual(['calls that do without it failed for 6010 ms']);
  const database = fault({ part: 'database' });
  expect(measureOutage(database, long)).toMatchObject({ slowestRefusal: 10, breaches: [] });
  expect(measureOutage(database, [attempt(0, { status: 502 })]).breaches).toEqual([
    '/api/post/feed answered 502 without Retry-After',
  ]);
  expect(measureOutage(database, [attempt(0, { ...refusal, endedAt: 3_000 })]).breaches).toEqual([
    '/api/post/feed was refused after 3000 ms',
  ]);
  const underWay = attempt(-1_500, { ...refusal, endedAt: 1_000 });
  expect(measureOutage(database, [underWay])).toMatchObject({ slowestRefusal: 1_000, breaches: [] });
  // It came late, but it came.
  expect(measureOutage(database, [attempt(0, { endedAt: 6_000 })]).breaches).toEqual([]);
  const store = fault({ part: 'store' });
  const view = { path: '/v1/storage/buckets/images/files/1/view', ...refusal };
  expect(measureOutage(store, [attempt(0, view)]).breaches).toEqual([]);
  expect(measureOutage(store, long).breaches).toHaveLength(1);
});

test('what needs a part works within 5 s after it is back', () => {
  const database = fault({ part: 'database' });
  expect(measureOutage(database, [attempt(14_000, refusal)])).toMatchObject({
    ...{ recoveredAfter: 4_010, breaches: [] },
  });
  expect(measureOutage(database, [attempt(16_000, refusal)]).breaches).toHaveLength(1);
  expect(measureOutage(fault({ readyAt: 16_000 }), []).breaches).toHaveLength(1);
});

test('a message arrives within 5 s, beside the delay of its device and the time without Redis', () => {
  const delivery = { acknowledgedAt: 0, receivedAt: 7_000, delayMs: 0 };
  expect(lateness(delivery, [])).toBe(2_000);
  expect(lateness({ ...delivery, delayMs: 2_000 }, [])).toBe(0);
  expect(lateness({ ...delivery, receivedAt: 14_000 }, [fault()])).toBe(0);
  expect(lateness({ ...delivery, receivedAt: 16_000 }, [fault()])).toBe(1_000);
  expect(lateness(delivery, [fault({ part: 'store' })])).toBe(2_000);
});
