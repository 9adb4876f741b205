import { verification } from '@tara/contract/members/verification';
import { afterEach, expect, test } from 'vitest';
import { pagesOf, queryClient } from '../../lib/queries.ts';
import { removeFromList } from './AdminQueue.tsx';

const { queryKey } = pagesOf(verification.pending);
const known = () =>
  queryClient.getQueryData(queryKey)?.pages.map(({ items, next }) => [items.map(({ id }) => id), next]);

afterEach(() => queryClient.clear());

function waiting(...pages: string[][]) {
  queryClient.setQueryData<unknown>(queryKey, {
    pages: pages.map((ids, index) => ({ items: ids.map((id) => ({ id })), next: `after ${index}` })),
    pageParams: pages.map(() => null),
  });
}

test('a processed row leaves its page; the others and the cursors stay', () => {
  waiting(['a', 'b'], ['c']);
  removeFromList(verification.pending, 'b');
  expect(known()).toEqual([
    [['a'], 'after 0'],
    [['c'], 'after 1'],
  ]);
});

test('a list that was never read stays unknown', () => {
  removeFromList(verification.pending, 'a');
  expect(known()).toBeUndefined();
});
