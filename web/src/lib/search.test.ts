import { expect, test } from 'vitest';
import { parseSearch, stringifySearch, textParams } from './search.ts';

test('a secret of digits stays a text', () => {
  expect(parseSearch('?secret=0012&userId=1e5')).toEqual({ secret: '0012', userId: '1e5' });
});

test('what is written is read again', () => {
  const values = { textInputed: 'tara & friends? 100%', query: 'a+b' };
  expect(parseSearch(stringifySearch(values))).toEqual(values);
});

test('what is not there is not written', () => {
  expect(stringifySearch({ tab: undefined, open: '' })).toBe('');
});

test('a route knows only its own params', () => {
  expect(textParams('query', 'mixId')({ query: 'c1', other: 'x' })).toEqual({ query: 'c1' });
});
