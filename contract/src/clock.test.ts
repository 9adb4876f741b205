import { expect, it, vi } from 'vitest';
import { nowDate, nowMs, replaceClock } from './clock.ts';

it('the time is read from the clock that was put in last, until each is taken away', () => {
  const start = nowMs();
  const putBackFirst = replaceClock({ nowMs: () => 1000 });
  const putBackSecond = replaceClock({ nowMs: () => 2000 });
  expect([nowMs(), nowDate()]).toEqual([2000, new Date(2000)]);
  putBackSecond();
  expect(nowMs()).toBe(1000);
  putBackFirst();
  expect(nowMs()).toBeGreaterThanOrEqual(start);
});

it('without another clock, the time is that of the system, also where a test moves it', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 5000 });
  expect([nowMs(), nowDate()]).toEqual([5000, new Date(5000)]);
  vi.useRealTimers();
});
