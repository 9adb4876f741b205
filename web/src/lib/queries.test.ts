import { QueryObserver } from '@tanstack/react-query';
import { posts } from '@tara/contract/posts/posts';
import { afterEach, expect, test, vi } from 'vitest';
import { samplePost } from '../testing/samples.ts';
import { problem } from '../testing/stub-server.ts';
import {
  allItems,
  invalidateWithoutRefetch,
  pagesOf,
  queryClient,
  queryOf,
  setQueryData,
} from './queries.ts';

test('an item that is in two pages is shown once', () => {
  const pages = [
    { items: [{ id: 'a' }, { id: 'b' }], next: 'x' },
    { items: [{ id: 'b' }, { id: 'c' }], next: null },
  ];
  expect(allItems({ pages, pageParams: [null, 'x'] })).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
});

/** Lets each call be answered so, while the time stands; returns how many were made. */
function answerCalls(answer: () => Response): () => number {
  const fetched = vi.fn(async () => answer());
  vi.stubGlobal('fetch', fetched);
  vi.useFakeTimers();
  return () => fetched.mock.calls.length;
}
const refuse = (status: number, headers = {}) =>
  Response.json(problem(status, 'general_unknown').body, { status, headers });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  queryClient.clear();
});

const post = queryOf(posts.get, { params: { id: 'p1' } });
const reads = [
  ['a record', () => queryClient.fetchQuery(post)],
  ['a list', () => queryClient.fetchInfiniteQuery(pagesOf(posts.feed))],
] as const;

test('fetching is retried three times, after 1 s, 2 s and 4 s (§8-retries)', async () => {
  for (const [what, read] of reads) {
    const count = answerCalls(() => refuse(503));
    const reading = expect(read(), what).rejects.toMatchObject({ code: 503 });
    await pass(0);
    const counts = [count()];
    for (const wait of [1000, 2000, 4000]) {
      await pass(wait - 1);
      counts.push(count());
      await pass(1);
      counts.push(count());
    }
    expect(counts, what).toEqual([1, 1, 2, 2, 3, 3, 4]);
    await reading;
    await pass(60_000);
    expect(count(), what).toBe(4);
  }
});

test('fetching is retried after 30 s at most, however long the server asks to wait (§8-retries)', async () => {
  const count = answerCalls(() => refuse(503, { 'retry-after': '60' }));
  const reading = expect(queryClient.fetchQuery(post)).rejects.toMatchObject({ code: 503 });
  await pass(29_999);
  expect(count()).toBe(1);
  await pass(1);
  expect(count()).toBe(2);
  await pass(60_000);
  await reading;
});

test('what the server refuses is not fetched again', async () => {
  const count = answerCalls(() => refuse(404));
  await expect(queryClient.fetchQuery(post)).rejects.toMatchObject({ code: 404 });
  await pass(60_000);
  expect(count()).toBe(1);
});

test('what no screen shows is forgotten after 5 minutes, and not before (§9-query-cache)', async () => {
  answerCalls(() => Response.json({ items: [], next: null }));
  for (const [what, read] of reads) {
    await read();
    const isCached = () => queryClient.getQueryCache().getAll().length > 0;
    await pass(5 * 60_000 - 1);
    expect(isCached(), what).toBe(true);
    await pass(1);
    expect(isCached(), what).toBe(false);
  }
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
