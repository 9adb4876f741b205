import { expect, test } from 'vitest';
import { highestRate } from './search.ts';

const upToRate = (limit: number) => async (rate: number) => rate <= limit;

test('the highest rate is found to within its last halving', async () => {
  const rate = await highestRate(upToRate(3_300), { from: 500, upTo: 32_000, halvings: 4 });
  expect(rate).toBeLessThanOrEqual(3_300);
  expect(rate).toBeGreaterThan(3_300 - 2_000 / 16);
});

test('a rate beyond the end of the search is the end', async () => {
  expect(await highestRate(upToRate(1e9), { from: 500, upTo: 4_000, halvings: 3 })).toBe(4_000);
});

test('what holds not even the first rate is searched below it', async () => {
  expect(await highestRate(upToRate(130), { from: 500, upTo: 4_000, halvings: 3 })).toBe(125);
  expect(await highestRate(upToRate(0), { from: 500, upTo: 4_000, halvings: 3 })).toBe(0);
});
