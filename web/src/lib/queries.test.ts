import { QueryObserver } from '@tanstack/react-query';
import { posts } from '@tara/contract/posts/posts';
import { expect, test, vi } from 'vitest';
import { samplePost } from '../testing/samples.ts';
import { ProblemError } from './call.ts';
import { allItems, invalidateWithoutRefetch, queryClient, queryOf, setQueryData } from './queries.ts';

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

test('what no screen shows is forgotten after 5 minutes (§9-query-cache)', () => {
  expect(queryClient.getDefaultOptions().queries?.gcTime).toBe(5 * 60_000);
});

test('what is invalidated without a refetch stays on screen as it is, and is stale for the next screen', () => {
  const where = { params: { id: 'p1' } };
  const { queryKey } = queryOf(posts.get, where);
  setQueryData(posts.get, where, samplePost({ id: 'p1' }));
  const queryFn = vi.fn(async () => samplePost({ id: 'p1' }));
  const shown = new QueryObserver(queryClient, { queryKey, queryFn });
  const stop = shown.subscribe(() => {});
  invalidateWithoutRefetch(posts.get);
  expect([shown.getCurrentResult().isStale, queryFn.mock.calls]).toEqual([true, []]);
  stop();
});
