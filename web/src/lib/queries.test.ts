import { expect, test } from 'vitest';
import { ProblemError } from './call.ts';
import { allItems, queryClient } from './queries.ts';

test('an item that is in two pages is shown once', () => {
  const pages = [
    { items: [{ id: 'a' }, { id: 'b' }], next: 'x' },
    { items: [{ id: 'b' }, { id: 'c' }], next: null },
  ];
  expect(allItems({ pages, pageParams: [null, 'x'] })).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
});

const refusal = (code: number) => new ProblemError({ message: '', code, type: '', version: '', title: '' });

test('fetching is retried three times, after 1 s doubling up to 30 s, unless it was refused (§8-retries)', () => {
  const { retry, retryDelay } = queryClient.getDefaultOptions().queries ?? {};
  if (typeof retry !== 'function' || typeof retryDelay !== 'function') throw new Error('no rule');
  const failure = refusal(503);
  expect([0, 1, 2, 3].map((failures) => retry(failures, failure))).toEqual([true, true, true, false]);
  expect(retry(0, refusal(404))).toBe(false);
  expect([0, 1, 2, 5].map((failures) => retryDelay(failures, failure))).toEqual([1000, 2000, 4000, 30_000]);
});

test('what no screen shows is forgotten after 5 minutes (§9-profile-defaults)', () => {
  expect(queryClient.getDefaultOptions().queries?.gcTime).toBe(5 * 60_000);
});
