import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { jsonProblem, mostLevels, mostValues, parseJson } from './json.ts';

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const tooDeep = 'Must not be nested deeper than 32 levels.';
const tooMany = 'Must not hold more than 10,000 values.';

/** Levels and values of parsed JSON, found by walking it. */
function sizeOf(value: unknown): { levels: number; values: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, values: 1 };
  const inner = Object.values(value).map(sizeOf);
  return {
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
    values: inner.reduce((sum, { values }) => sum + values, 1),
  };
}

describe('nobody sends JSON that is nested deeper than 32 levels (threat-injected-queries)', () => {
  test.each([
    ['lists', nested(mostLevels + 1)],
    ['objects', objects(mostLevels + 1)],
    ['lists that never end', '['.repeat(200_000)],
    ['lists after many texts with brackets', `["${']'.repeat(100)}","\\"]",${nested(mostLevels)}]`],
    ['spread over lines', '[\n'.repeat(mostLevels + 1)],
  ])('%s', (_what, json) => expect(jsonProblem(json)).toBe(tooDeep));
  test.each([
    ['lists', nested(mostLevels)],
    ['objects', objects(mostLevels)],
    [
      'many after each other',
      `[${Array(100)
        .fill(nested(mostLevels - 1))
        .join()}]`,
    ],
    ['brackets in a text', JSON.stringify('['.repeat(1000))],
    ['brackets after an escaped quote', JSON.stringify('"[{'.repeat(1000))],
    ['brackets after a backslash', JSON.stringify(`\\"${'['.repeat(1000)}`)],
  ])('%s, just not', (_what, json) => {
    expect(jsonProblem(json)).toBeNull();
    expect(parseJson(json)).toEqual(JSON.parse(json));
  });
});

describe('nobody sends JSON of more than 10,000 values', () => {
  const list = (length: number, value: string) => `[${Array(length).fill(value).join()}]`;
  const pairs = (length: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, index])));
  test.each([
    ['numbers', list(mostValues, '0')],
    ['empty lists', list(mostValues, '[]')],
    ['fields', pairs(mostValues)],
    ['no JSON', ','.repeat(mostValues)],
  ])('%s', (_what, json) => expect(jsonProblem(json)).toBe(tooMany));
  test.each([
    ['numbers', list(mostValues - 1, '0')],
    ['empty lists', list(mostValues - 1, '[ ]')],
    ['fields', pairs(mostValues - 1)],
    ['commas in a text', JSON.stringify(','.repeat(mostValues * 2))],
  ])('%s, just not', (_what, json) => expect(jsonProblem(json)).toBeNull());
});

it('counts what a walk through the parsed JSON counts', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 40 }), fc.nat(3), (json, indent) => {
      const { levels, values } = sizeOf(JSON.parse(json));
      const spaced = JSON.stringify(JSON.parse(json), null, indent);
      for (const written of [json, spaced])
        expect(jsonProblem(written) === null).toBe(levels <= mostLevels && values <= mostValues);
    }),
    { numRuns: 300 },
  );
});

it.each(['', '{', '"', '"\\', '[1,', 'undefined', nested(40)])('reads nothing from %j', (json) =>
  expect(() => parseJson(json)).toThrow(SyntaxError),
);
