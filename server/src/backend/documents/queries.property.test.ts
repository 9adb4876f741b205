import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problem } from '../../platform/problem.ts';
import { openBrowser } from '../../testing/backend/browser.ts';
import { parseQueries } from './queries.ts';

const origin = 'http://app.test';
const { Query: Query13 } = openBrowser('appwrite-13', { origin }).sdk;
const { Query: Query27 } = openBrowser('appwrite-27', { origin }).sdk;

// What SDK 13 can write at all: it escapes no quotes and no backslashes.
const text = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .filter((value) => !/"\s*[,)\]]|\\"|\\$/u.test(value));
const attribute = fc.stringMatching(/^\$?[A-Za-z][A-Za-z0-9]{0,20}$/);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }),
);

/** The same query, as both SDKs write it. */
const written = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('notEqual', 'lessThan', 'lessThanEqual', 'greaterThan', 'greaterThanEqual'),
      attribute,
      fc.oneof(text, number, fc.boolean()),
    )
    .map(([method, ...args]) => [Query13, Query27].map((sdk) => Reflect.apply(sdk[method], sdk, args))),
  fc
    .tuple(attribute, fc.array(fc.oneof(text, number, fc.boolean()), { minLength: 1, maxLength: 20 }))
    .map((args) => [Query13, Query27].map((sdk) => Reflect.apply(sdk.equal, sdk, args))),
  fc
    .tuple(fc.constantFrom('startsWith', 'endsWith', 'search'), attribute, text)
    .map(([method, ...args]) => [Query13, Query27].map((sdk) => sdk[method](...args))),
  fc.tuple(attribute, number, number).map((args) => [Query13, Query27].map((sdk) => sdk.between(...args))),
  fc
    .tuple(
      fc.constantFrom('isNull', 'isNotNull', 'orderAsc', 'orderDesc', 'cursorAfter', 'cursorBefore'),
      attribute,
    )
    .map(([method, name]) => [Query13, Query27].map((sdk) => sdk[method](name))),
  fc
    .tuple(fc.constantFrom('limit', 'offset'), fc.integer({ min: 1, max: 100_000 }))
    .map(([method, value]) => [Query13, Query27].map((sdk) => sdk[method](value))),
  fc
    .array(attribute, { minLength: 1, maxLength: 10 })
    .map((names) => [Query13, Query27].map((sdk) => sdk.select(names))),
);

test('both SDKs write queries that read alike', () => {
  fc.assert(
    fc.property(written, ([legacy = '', newest = '']) => {
      const [query] = parseQueries([newest]);
      expect(query).toMatchObject({ method: JSON.parse(newest).method });
      expect(parseQueries([legacy])).toEqual([query]);
    }),
    { numRuns: 500 },
  );
});

const pieces = [
  '"',
  "'",
  '\\',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ',',
  ' ',
  ':',
  'equal',
  'or',
  'null',
  '1',
  'é',
  '"values"',
];
const garbage = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...pieces)).map((parts) => `equal("a", [${parts.join('')}`),
  fc
    .record({ method: fc.anything(), attribute: fc.anything(), values: fc.array(fc.anything()) })
    .map((sent) =>
      JSON.stringify(sent, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
    ),
);

test('garbage is a Problem and nothing else', () => {
  fc.assert(
    fc.property(garbage, (query) => {
      try {
        parseQueries([query]);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        expect((error as Problem).type).toMatch(/^general_(query|argument)_invalid$/);
      }
    }),
    { numRuns: 2000 },
  );
});

test('the longest queries take time in proportion to their length', () => {
  const repeated = [
    ' ',
    '"',
    '\\"',
    '" ',
    "'",
    '[',
    '(',
    ',',
    '",',
    '{"a":',
    '[[',
    'a',
    '1',
    '-1e',
    'equal(',
    'or("',
  ];
  const time = (length: number) => {
    const queries = repeated.flatMap((part) =>
      ['', 'equal(', 'equal("a", [', 'equal("a", ["'].map((head) =>
        (head + part.repeat(length)).slice(0, length),
      ),
    );
    const begin = performance.now();
    for (let round = 0; round < 20; round += 1) {
      for (const query of queries) {
        try {
          parseQueries([query]);
        } catch {
          // Only the time counts.
        }
      }
    }
    return performance.now() - begin;
  };
  time(64);
  // Quadratic time would take 64 times as long as an eighth of the length, linear time 8 times.
  const attempts = [0, 1, 2].map(() => time(4096) / time(512));
  expect(Math.min(...attempts)).toBeLessThan(32);
});
