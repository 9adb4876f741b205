import { expect, test } from 'vitest';
import { allItems } from './queries.ts';

test('an item that stands in two pages is shown once', () => {
  const pages = [
    { items: [{ id: 'a' }, { id: 'b' }], next: 'x' },
    { items: [{ id: 'b' }, { id: 'c' }], next: null },
  ];
  expect(allItems({ pages, pageParams: [null, 'x'] })).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
});
