import { expect, it, vi } from 'vitest';
import { nowDate, nowMs, replaceClock, runAfter, steadyMs } from './clock.ts';

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

it('a duration is measured by the clock that was put in, and by the system without, whatever its time is set to', () => {
  const start = steadyMs();
  vi.useFakeTimers({ toFake: ['Date'], now: 5000 });
  expect(steadyMs()).toBeGreaterThanOrEqual(start);
  vi.useRealTimers();
  const putBack = replaceClock({ nowMs: () => 1000 });
  expect(steadyMs()).toBe(1000);
  putBack();
  expect(Math.abs(steadyMs() - nowMs())).toBeLessThan(3_600_000);
});

it('what is done after a wait is done by the clock that was put in, and by the system without', () => {
  vi.useFakeTimers();
  const done: string[] = [];
  const waits: { ms: number; run: () => void }[] = [];
  const putBack = replaceClock({
    nowMs: () => 0,
    after: (ms, run) => {
      waits.push({ ms, run });
      return () => waits.splice(0);
    },
  });
  runAfter(50, () => done.push('of the clock'));
  vi.advanceTimersByTime(1000);
  expect([waits.length, waits[0]?.ms, done]).toEqual([1, 50, []]);
  waits[0]?.run();
  putBack();
  runAfter(50, () => done.push('of the system'));
  runAfter(50, () => done.push('cancelled'))();
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  expect(done).toEqual(['of the clock', 'of the system']);
});
