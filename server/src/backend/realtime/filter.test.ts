import { describe, expect, test, vi } from 'vitest';
import { Problem } from '../../platform/problem.ts';
import { readFilter } from './filter.ts';

const payload = {
  $id: 'p1',
  $sequence: '12',
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
  readFilter(queries.map((one) => JSON.stringify(one)))?.accepts(payload) ?? true;

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
  [query('greaterThan', 'totalLikes', '2'), false],
  [query('lessThan', 'caption', 'Cave'), true],
  [query('lessThan', 'caption', 'Beach'), false],
  [query('greaterThan', 'caption', 'Beach'), false],
  [query('greaterThanEqual', 'caption', 'Beach'), true],
  [query('lessThan', '$createdAt', '2026-03-01T18:00:00.001+08:00'), true],
  [query('greaterThan', '$createdAt', '2026-03-01T10:00:00Z'), false],
  [query('equal', '$sequence', '12'), true],
  [query('equal', '$sequence', 12), true],
  [query('greaterThan', '$sequence', '9'), true],
  [query('lessThan', '$sequence', 13), true],
  [query('lessThan', '$sequence', '9'), false],
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

test('a time that does not exist is compared as the text that it is', () => {
  const filter = readFilter([JSON.stringify(query('equal', 'caption', '2026-99-99T10:00:00Z'))]);
  expect(filter?.accepts({ caption: '2026-99-99T10:00:00Z' })).toBe(true);
  expect(filter?.accepts({ caption: '2026-98-98T10:00:00Z' })).toBe(false);
  // Nor is a text a time because it could be read as one.
  const day = readFilter([JSON.stringify(query('equal', 'caption', '5'))]);
  expect(day?.accepts({ caption: '05' })).toBe(false);
});

describe('a spelling that looks alike is not missed', () => {
  const [plain, wide] = ['sea', 'ｓｅａ'];
  const byTags = (...values: unknown[]) => readFilter([JSON.stringify(query('equal', 'tags', ...values))]);

  test.for([
    [plain, wide],
    [wide, plain],
    [wide, wide],
  ] as const)('of a tag: %s finds %s', ([text, tag]) => {
    expect(byTags(text)?.accepts({ tags: ['sun', tag] })).toBe(true);
    const without = readFilter([JSON.stringify(query('notEqual', 'tags', text))]);
    expect(without?.accepts({ tags: ['sun', tag] })).toBe(false);
  });

  test('a filter compares a text that is no list as it is, as lists of documents do', () => {
    const filter = readFilter([JSON.stringify(query('equal', 'caption', wide))]);
    expect(filter?.accepts({ caption: wide })).toBe(true);
    expect(filter?.accepts({ caption: plain })).toBe(false);
  });
});

describe('no filter makes one event cost more than its values (threat-event-work)', () => {
  const times = (count: number, year: number) =>
    Array.from({ length: count }, (_, index) => new Date(Date.UTC(year, 0, 1, 0, 0, index)).toISOString());

  test('of a list of times, each is read once, whatever many filters compare it', () => {
    const read = vi.spyOn(Date, 'parse');
    const all = Array.from({ length: 50 }, (_, index) =>
      readFilter([JSON.stringify(query('equal', 'tags', ...times(100, 1950 + index)))]),
    );
    expect(read).toHaveBeenCalledTimes(50 * 100);
    read.mockClear();
    const tags = times(100, 2026);
    expect(all.map((filter) => filter?.accepts({ tags }))).toEqual(Array(50).fill(false));
    // Each filter has its own payload here.
    expect(read).toHaveBeenCalledTimes(50 * 100);
    read.mockClear();
    const event = { tags };
    expect(all.map((filter) => filter?.accepts(event))).toEqual(Array(50).fill(false));
    expect(read).toHaveBeenCalledTimes(100);
  });

  test('values and a long list are compared with as many steps as the shorter has', () => {
    const has = vi.spyOn(Set.prototype, 'has');
    for (const [values, elements, most] of [
      [100, 20_000, 100],
      [100, 3, 3],
    ] as const) {
      const filter = readFilter([JSON.stringify(query('equal', 'tags', ...times(values, 2025)))]);
      has.mockClear();
      expect(filter?.accepts({ tags: Array.from({ length: elements }, (_, index) => index) })).toBe(false);
      expect(has.mock.calls.length).toBeLessThanOrEqual(most);
    }
  });

  test('filters say how many values they compare, and that they are equal', () => {
    const nested = query('or', undefined, query('isNull', 'a'), query('equal', 'b', 1, 2, 3));
    const [one, other, third] = ['b', 'b', 'c'].map((name) =>
      readFilter([JSON.stringify(nested), JSON.stringify(query('equal', name, 1))]),
    );
    expect(one?.values).toBe(2 + 1 + 3 + 1);
    expect(other?.key).toBe(one?.key);
    expect(third?.key).not.toBe(one?.key);
  });
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
