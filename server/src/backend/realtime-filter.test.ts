import { expect, test } from 'vitest';
import { Problem } from '../platform/problem.ts';
import { readFilter } from './realtime-filter.ts';

const payload = {
  $id: 'p1',
  $createdAt: '2026-03-01T10:00:00.000+00:00',
  caption: 'Beach',
  totalLikes: 3,
  isPaid: true,
  location: null,
  tags: ['sea', 'sun'],
  creator: { $id: 'u1', name: 'Ana' },
};
const query = (method: string, attribute?: string, ...values: unknown[]) => ({ method, attribute, values });
const accepts = (...queries: object[]) =>
  readFilter(queries.map((one) => JSON.stringify(one)))?.(payload) ?? true;

test.for([
  [query('equal', 'caption', 'Beach'), true],
  [query('equal', 'caption', 'Hill', 'Beach'), true],
  [query('equal', 'caption', 'Hill'), false],
  [query('equal', 'tags', 'sun'), true],
  [query('equal', 'creator', 'u1'), true],
  [query('equal', 'isPaid', true), true],
  [query('equal', 'totalLikes', '3'), false],
  [query('equal', 'unknown', 'x'), false],
  [query('isNotNull', 'constructor'), false],
  [query('notEqual', 'caption', 'Hill'), true],
  [query('notEqual', 'caption', 'Beach'), false],
  [query('notEqual', 'location', 'Cebu'), false],
  [query('lessThan', 'totalLikes', 3), false],
  [query('lessThanEqual', 'totalLikes', 3), true],
  [query('greaterThan', 'totalLikes', 2), true],
  [query('greaterThanEqual', 'totalLikes', 4), false],
  [query('greaterThan', 'totalLikes', 'a'), false],
  [query('lessThan', 'caption', 'Cave'), true],
  [query('lessThan', '$createdAt', '2026-03-01T18:00:00.001+08:00'), true],
  [query('greaterThan', '$createdAt', '2026-03-01T10:00:00Z'), false],
  [query('isNull', 'location'), true],
  [query('isNull', 'caption'), false],
  [query('isNotNull', 'caption'), true],
  [query('select', undefined, '*'), true],
  [query('and', undefined, query('isNull', 'location'), query('equal', 'totalLikes', 3)), true],
  [query('and', undefined, query('isNull', 'location'), query('equal', 'totalLikes', 4)), false],
  [query('or', undefined, query('isNull', 'caption'), query('equal', 'totalLikes', 3)), true],
  [query('or', undefined, query('isNull', 'caption'), query('equal', 'totalLikes', 4)), false],
] as const)('%j lets through: %s', ([one, expected]) => {
  expect(accepts(one)).toBe(expected);
});

test('a payload must pass every query, and no queries let everything through', () => {
  expect(accepts(query('equal', 'totalLikes', 3), query('isNull', 'location'))).toBe(true);
  expect(accepts(query('equal', 'totalLikes', 3), query('isNull', 'caption'))).toBe(false);
  expect(readFilter([])).toBeUndefined();
  expect(readFilter(['{"method":"select","values":["*"]}'])).toBeUndefined();
});

test.for([
  ['no query', 'beach'],
  ['a list', '[]'],
  ['no method', '{"attribute":"caption"}'],
  ['another method', JSON.stringify(query('search', 'caption', 'Beach'))],
  ['an order', JSON.stringify(query('orderAsc', 'caption'))],
  ['fields', JSON.stringify(query('select', undefined, 'caption'))],
  ['no attribute', JSON.stringify(query('equal', undefined, 'Beach'))],
  ['no value', JSON.stringify(query('equal', 'caption'))],
  ['two values', JSON.stringify(query('lessThan', 'totalLikes', 1, 2))],
  ['a value of a null test', JSON.stringify(query('isNull', 'caption', 'x'))],
  ['an object as value', JSON.stringify(query('equal', 'caption', {}))],
  ['one part', JSON.stringify(query('or', undefined, query('isNull', 'caption')))],
  ['a text as part', JSON.stringify(query('or', undefined, 'a', 'b'))],
  ['too many values', JSON.stringify(query('equal', 'caption', ...Array(101).fill('x')))],
  [
    'many values in many parts',
    JSON.stringify(query('or', undefined, ...Array(60).fill(query('equal', 'caption', 'a', 'b')))),
  ],
] as const)('refuses %s', ([_what, text]) => {
  expect(() => readFilter([text])).toThrow(Problem);
});
