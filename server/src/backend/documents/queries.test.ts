import { describe, expect, test } from 'vitest';
import { parseQueries, type Query, readQueries } from './queries.ts';

const parse = (query: string) => parseQueries([query])[0];
const json = (method: unknown, attribute?: unknown, values?: unknown) =>
  JSON.stringify({ method, attribute, values });

describe('reads', () => {
  test.each<[string, Query]>([
    ['equal("a", ["x"])', { method: 'equal', attribute: 'a', values: ['x'] }],
    [
      'equal("a", ["x",1,-2.5e3,true,false])',
      { method: 'equal', attribute: 'a', values: ['x', 1, -2500, true, false] },
    ],
    ['equal("a", "x")', { method: 'equal', attribute: 'a', values: ['x'] }],
    [" equal ( 'a' , [ 'x' , 'y' ] ) ", { method: 'equal', attribute: 'a', values: ['x', 'y'] }],
    ['equal("a", ["x, y](z)"])', { method: 'equal', attribute: 'a', values: ['x, y](z)'] }],
    [
      'equal("a", ["Ñandú 🦤, \'don\'t\'"])',
      { method: 'equal', attribute: 'a', values: ["Ñandú 🦤, 'don't'"] },
    ],
    ['search("a", [""two words""])', { method: 'search', attribute: 'a', values: ['"two words"'] }],
    ['equal("a", ["say \\"hi\\", all"])', { method: 'equal', attribute: 'a', values: ['say "hi", all'] }],
    ['equal("a", ["C:\\new"])', { method: 'equal', attribute: 'a', values: ['C:\\new'] }],
    ['between("a", 1, 5)', { method: 'between', attribute: 'a', values: [1, 5] }],
    ['between("a", [1, 5])', { method: 'between', attribute: 'a', values: [1, 5] }],
    ['isNull("a")', { method: 'isNull', attribute: 'a', values: [] }],
    ['orderDesc("$updatedAt")', { method: 'orderDesc', attribute: '$updatedAt' }],
    ['orderAsc("")', { method: 'orderAsc', attribute: '$createdAt' }],
    [
      json('equal', 'a'.repeat(64), Array(100).fill(1)),
      { method: 'equal', attribute: 'a'.repeat(64), values: Array(100).fill(1) },
    ],
    ['limit(25)', { method: 'limit', value: 25 }],
    ['limit(100000)', { method: 'limit', value: 100_000 }],
    ['offset(0)', { method: 'offset', value: 0 }],
    ['cursorAfter("abc.d_1")', { method: 'cursorAfter', id: 'abc.d_1' }],
    [`cursorBefore("${'a'.repeat(64)}")`, { method: 'cursorBefore', id: 'a'.repeat(64) }],
    ['select(["a","$id"])', { method: 'select', attributes: ['a', '$id'] }],
    [json('equal', 'a', ['x']), { method: 'equal', attribute: 'a', values: ['x'] }],
    [`  ${json('isNotNull', 'a')}`, { method: 'isNotNull', attribute: 'a', values: [] }],
    [json('contains', 'tags', ['x', 'y']), { method: 'contains', attribute: 'tags', values: ['x', 'y'] }],
    ['{"method":"limit","values":[3],"more":{}}', { method: 'limit', value: 3 }],
    [json('select', undefined, ['*', 'creator.*']), { method: 'select', attributes: ['*', 'creator.*'] }],
    [
      json('or', undefined, [
        { method: 'equal', attribute: 'a', values: [1] },
        {
          method: 'and',
          values: [
            { method: 'isNull', attribute: 'b' },
            { method: 'isNotNull', attribute: 'c' },
          ],
        },
      ]),
      {
        method: 'or',
        values: [
          { method: 'equal', attribute: 'a', values: [1] },
          {
            method: 'and',
            values: [
              { method: 'isNull', attribute: 'b', values: [] },
              { method: 'isNotNull', attribute: 'c', values: [] },
            ],
          },
        ],
      },
    ],
  ])('%s', (query, expected) => {
    expect(parse(query)).toEqual(expected);
  });
});

const filter = { method: 'isNull', attribute: 'a' };
const nested = (levels: number): unknown =>
  levels === 0 ? filter : { method: 'and', values: [nested(levels - 1), filter] };

describe('refuses, naming the query and the rule,', () => {
  test.each([
    ['', 'must be method'],
    ['equal', 'must be method'],
    ['a.equal("a", [1])', 'must be method'],
    ['{', 'not valid JSON'],
    ['{"method":1}', 'method must be text'],
    ['{"method":"equal","attribute":"a","values":"x"}', 'must be a list'],
    ['regex("a", ["x"])', 'regex: there is no such method'],
    ['orderRandom()', 'orderRandom'],
    [json('orderRandom'), 'orderRandom'],
    [json('exists', undefined, []), 'at least 1'],
    [json('createdBetween', undefined, ['2024-01-01']), 'takes 2 values'],
    ['constructor("a")', 'no such method'],
    ['equal("a", ["x"]) or 1', 'nothing may follow'],
    ['equal("a", ["x"]', 'commas'],
    ['equal("a", ["x" "y"]))', 'nothing may follow'],
    ['equal("a", ["x])', 'no closing quote'],
    ['equal("a", [x])', 'in quotes'],
    ['equal("a", [,])', 'value is missing'],
    ['equal("a", [[1]])', 'value is missing'],
    ['equal("a", [NaN])', 'in quotes'],
    ['equal("a", [1e999])', 'must be text, numbers'],
    ['equal("a", [])', '1 to 100 values'],
    ['equal("a")', '1 to 100 values'],
    ['equal(1, [1])', 'must be a name'],
    [json('equal', '', [1]), 'must be a name'],
    [json('equal', undefined, [1]), 'must be a name'],
    [json('equal', 'a'.repeat(65), [1]), 'must be a name'],
    [json('equal', 'a', [null]), 'isNull'],
    [json('equal', 'a', [{}]), 'must be text, numbers'],
    [json('equal', 'a', [[1]]), 'must be text, numbers'],
    [json('equal', 'a', Array(101).fill(1)), 'at most 100'],
    ['notEqual("a", [1,2])', 'takes 1 values'],
    ['between("a", 1)', 'takes 2 values'],
    ['isNull("a", [1])', 'takes 0 values'],
    ['search("a", [1])', 'must be text'],
    ['limit(0)', 'from 1'],
    ['limit(2.5)', 'from 1'],
    ['limit("2")', 'from 1'],
    ['limit(1,2)', 'from 1'],
    ['limit()', 'from 1'],
    ['limit(100001)', 'from 1'],
    ['offset(-1)', 'from 0'],
    ['cursorAfter(1)', 'id of a document'],
    ['cursorBefore("")', 'id of a document'],
    [`cursorBefore("${'a'.repeat(65)}")`, 'id of a document'],
    ['select([])', 'at least 1'],
    ['select([1])', 'must be a name'],
    ['orderAsc("a", 1)', 'no values'],
    [json('or', undefined, [filter]), 'at least 2'],
    [json('or', undefined, [filter, 'isNull("a")']), 'must be an object'],
    [json('or', undefined, [filter, null]), 'must be an object'],
    [json('or', undefined, [filter, [filter]]), 'must be an object'],
    [json('or', undefined, [filter, { method: 'limit', values: [1] }]), 'is not allowed within'],
    [JSON.stringify(nested(4)), '3 deep'],
  ])('%s', (query, rule) => {
    expect(() => parseQueries(['limit(1)', query])).toThrow(
      expect.objectContaining({
        type: 'general_query_invalid',
        fields: { 'queries[1]': expect.stringContaining(rule) },
      }),
    );
  });

  test.each([
    [['limit(1)', 'limit(2)'], 'only one limit'],
    [['cursorAfter("a")', 'cursorBefore("b")'], 'only one cursor'],
    [['select(["a"])', 'select(["b"])'], 'only one select'],
  ])('%j', (queries, rule) => {
    expect(() => parseQueries(queries)).toThrow(
      expect.objectContaining({ fields: { 'queries[1]': expect.stringContaining(rule) } }),
    );
  });

  test('anything but select for one document', () => {
    expect(parseQueries(['select(["a"])'], { only: 'select' })).toHaveLength(1);
    expect(() => parseQueries(['limit(1)'], { only: 'select' })).toThrow(/only select/);
  });
});

test('three levels of and/or are read', () => {
  expect(parse(JSON.stringify(nested(3)))).toMatchObject({ method: 'and' });
});

test('at most 100 queries of 4096 characters are read', () => {
  expect(parseQueries(Array(100).fill('isNull("a")'))).toHaveLength(100);
  const refused = expect.objectContaining({
    type: 'general_argument_invalid',
    fields: { queries: expect.any(String) },
  });
  expect(() => parseQueries(Array(101).fill('isNull("a")'))).toThrow(refused);
  const long = (length: number) => `equal("a", ["${'x'.repeat(length - 16)}"])`;
  expect(parse(long(4096))).toMatchObject({ method: 'equal' });
  expect(() => parse(long(4097))).toThrow(refused);
});

test('queries of a request come in their sequence, however they are named', () => {
  expect(readQueries({ 'queries[10]': 'k', 'queries[2]': 'c', 'queries[0]': 'a', project: 'tara' })).toEqual([
    'a',
    'c',
    'k',
  ]);
  expect(readQueries({ 'queries[]': ['a', 'b'], total: 'false' })).toEqual(['a', 'b']);
  expect(readQueries({ queries: 'a' })).toEqual(['a']);
  expect(readQueries({})).toEqual([]);
  const refused = expect.objectContaining({ type: 'general_argument_invalid' });
  expect(() => readQueries({ 'queries[a]': 'x' })).toThrow(refused);
  expect(() => readQueries({ 'queries[0][method]': 'x' })).toThrow(refused);
  expect(() => readQueries({ queries: { method: 'x' } })).toThrow(refused);
});
