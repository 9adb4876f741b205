import { QueryObserver } from '@tanstack/react-query';
import { type Post, posts } from '@tara/contract/posts/posts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allItems, pagesOf, queryClient, queryOf } from '../../lib/queries.ts';
import { samplePost } from '../../testing/samples.ts';
import { addPost, cachedPost, changePost, removePost } from './PostActions.tsx';

const feed = pagesOf(posts.feed).queryKey;
const show = (...items: Post[]) =>
  queryClient.setQueryData(feed, { pages: [{ items, next: null }], pageParams: [null] });
const shown = () => allItems(queryClient.getQueryData(feed));

beforeEach(() => show(samplePost({ id: 'p1' }), samplePost({ id: 'p2' })));
afterEach(() => queryClient.clear());

test('a change shows in the feed and on the post’s own page', () => {
  const own = queryOf(posts.get, { params: { id: 'p2' } }).queryKey;
  queryClient.setQueryData(own, samplePost({ id: 'p2' }));
  changePost('p2', { liked: true, totalLikes: 8 });
  expect(shown().map(({ totalLikes }) => totalLikes)).toEqual([0, 8]);
  expect(queryClient.getQueryData(own)).toMatchObject({ liked: true, totalLikes: 8 });
});

test('a change does not mark stale data as fresh', () => {
  queryClient.setQueryData(feed, (data) => data, { updatedAt: 1000 });
  changePost('p1', { saved: true });
  expect(queryClient.getQueryState(feed)?.dataUpdatedAt).toBe(1000);
});

test('a response that was in flight is changed when it arrives', async () => {
  const key = queryOf(posts.get, { params: { id: 'p1' } }).queryKey;
  const { promise, resolve } = Promise.withResolvers<Post>();
  const stop = new QueryObserver(queryClient, { queryKey: key, queryFn: () => promise }).subscribe(() => {});
  changePost('p1', { liked: true, totalLikes: 1 });
  resolve(samplePost({ id: 'p1' }));
  await expect.poll(() => queryClient.getQueryData(key)).toMatchObject({ liked: true, totalLikes: 1 });
  stop();
});

test('a deleted post leaves its lists', () => {
  removePost('p1');
  expect(shown().map(({ id }) => id)).toEqual(['p2']);
  expect(cachedPost('p1')).toBeUndefined();
});

test('search results change like the lists', () => {
  const results = queryOf(posts.search, { query: { search: 'sea' } }).queryKey;
  const other = samplePost({ id: 'p9' });
  queryClient.setQueryData(results, { items: [samplePost({ id: 'p8' }), other] });
  expect(cachedPost('p8')?.id).toBe('p8');
  changePost('p8', { totalLikes: 3 });
  expect(queryClient.getQueryData(results)?.items.map(({ totalLikes }) => totalLikes)).toEqual([3, 0]);
  removePost('p8');
  expect(queryClient.getQueryData(results)).toEqual({ items: [other] });
});

test('a new post is on top, once', () => {
  const post = samplePost({ id: 'p3' });
  addPost(post);
  addPost(post);
  expect(shown().map(({ id }) => id)).toEqual(['p3', 'p1', 'p2']);
  expect(cachedPost('p3')).toEqual(post);
});
