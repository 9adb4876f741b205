import { expect, test } from 'vitest';
import { highestRate } from './search.ts';

const sustainedUpTo = (limit: number) => async (rate: number) => rate <= limit;

test('the highest rate is found to the precision of the last halving', async () => {
  const rate = await highestRate(sustainedUpTo(3_300), { from: 500, upTo: 32_000, halvings: 4 });
  expect(rate).toBeLessThanOrEqual(3_300);
  expect(rate).toBeGreaterThan(3_300 - 2_000 / 16);
});

test('the result is at most the end of the range', async () => {
  expect(await highestRate(sustainedUpTo(1e9), { from: 500, upTo: 4_000, halvings: 3 })).toBe(4_000);
});

test('rates below the first one are searched when it is not sustained', async () => {
  expect(await highestRate(sustainedUpTo(130), { from: 500, upTo: 4_000, halvings: 3 })).toBe(125);
  expect(await highestRate(sustainedUpTo(0), { from: 500, upTo: 4_000, halvings: 3 })).toBe(0);
});
