import { expect, test } from 'vitest';
import { countLatencies, median } from './latencies.ts';

test('percentiles are computed from the recorded latencies', () => {
  const latencies = countLatencies();
  for (let ms = 1; ms <= 100; ms++) latencies.record(ms);
  expect(latencies.count).toBe(100);
  expect(latencies.percentile(0.5)).toBeCloseTo(50, 1);
  expect(latencies.percentile(0.99)).toBeCloseTo(99, 1);
});

test('without latencies a percentile is 0, and very long ones count as the maximum', () => {
  const latencies = countLatencies();
  expect(latencies.percentile(0.99)).toBe(0);
  latencies.record(60_000);
  expect(latencies.percentile(0.99)).toBeCloseTo(5_000, 0);
});

test('the median does not depend on the order', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
