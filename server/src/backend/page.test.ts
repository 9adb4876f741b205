import { expect, test } from 'vitest';
import { readPageQueries } from './page.ts';

test.each([
  [{}, { limit: 25, offset: 0 }],
  [
    { 'queries[0]': 'limit(2)', 'queries[1]': 'offset(4)' },
    { limit: 2, offset: 4 },
  ],
  [{ 'queries[]': ['{"method":"offset","values":[3]}'] }, { limit: 25, offset: 3 }],
  [{ 'queries[]': '{"method":"limit","values":[500]}' }, { limit: 100, offset: 0 }],
])('reads the part of a list that %j asks for', (query, page) => {
  expect(readPageQueries(query)).toEqual(page);
});

test.each([
  'limit(-1)',
  'equal("a", [1])',
  'null',
  '{}',
  '{"method":"limit"}',
  '{"method":"limit","values":["2"]}',
])('refuses %s, naming the field', (query) => {
  expect(() => readPageQueries({ 'queries[0]': query })).toThrow(
    expect.objectContaining({ type: 'general_argument_invalid', fields: { queries: expect.any(String) } }),
  );
});
