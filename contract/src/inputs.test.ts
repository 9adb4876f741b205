import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { allCalls } from './all.ts';
import type { Schema } from './calls.ts';
import { largestInteger, queryNumber, wholeNumber } from './fields.ts';
import { interactions } from './interactions/interactions.ts';
import { NewAnswer, NewDispute } from './money/disputes.ts';
import { NewPlan } from './plans/plans.ts';
import { NewReview } from './plans/reviews.ts';
import { NewPost } from './posts/posts.ts';
import { payloadOf } from './wire/payloads.ts';

/** A field without children: the type it accepts, and the schema that parses it. */
interface Leaf {
  path: string;
  type: string;
  schema: Schema;
}

const childrenOf = (schema: Schema): Array<[string, Schema]> => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape);
    case 'array':
      return [['[]', def.element]];
    case 'record':
      return [
        ['{key}', def.keyType],
        ['{}', def.valueType],
      ];
    case 'union':
      return def.options.map((option, index) => [`|${index}`, option]);
    case 'optional':
    case 'nullable':
    case 'default':
      return [['', def.innerType]];
    default:
      return [];
  }
};

function leavesOf(schema: Schema, path: string): Leaf[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  // The input of a pipe is parsed by the whole pipe.
  if (def.type === 'pipe') return leavesOf(def.in, path).map((leaf) => ({ ...leaf, schema }));
  // An object of any names is limited as a whole, by its own rule.
  if (def.type === 'record' && def.checks !== undefined) return [{ path, type: def.type, schema }];
  const children = childrenOf(schema);
  // An object without fields takes nothing.
  if (children.length === 0) return def.type === 'object' ? [] : [{ path, type: def.type, schema }];
  return children.flatMap(([name, child]) => leavesOf(child, name === '' ? path : `${path}.${name}`));
}

const leaves = Object.entries(allCalls).flatMap(([table, calls]) =>
  Object.entries(calls).flatMap(([name, { params, query, body }]) =>
    [params, query, body].flatMap((part) => leavesOf(part, `${table}.${name}`)),
  ),
);
const fieldsWith = (type: string) =>
  leaves.filter((leaf) => leaf.type === type).map(({ path, schema }) => [path, schema] as const);
const isAccepted = (schema: Schema, value: unknown) => z.safeParse(schema, value).success;

describe('no field of a call accepts a value that its column cannot store (threat-injected-queries)', () => {
  it.each(fieldsWith('number'))('the number %s', (path, schema) => {
    // Only the expiry of a signed link may be larger: it is not stored in a column.
    const max = path.startsWith('verification.picture.until') ? 8.64e15 : largestInteger;
    // How a preview looks is in no column: parts of one, and turns to the left.
    const isLook = /^storage\.preview\.(opacity|rotation)\b/.test(path);
    const fine = isLook ? [] : [-1, 0.5];
    for (const value of [max + 1, 1e300, Number.POSITIVE_INFINITY, -1e300, Number.NaN, ...fine])
      expect([value, isAccepted(schema, value)]).toEqual([value, false]);
  });

  it.each(fieldsWith('string'))('the text %s', (_path, schema) => {
    for (const character of ['x', '1', ' x']) expect(isAccepted(schema, character.repeat(6000))).toBe(false);
  });

  it.each(fieldsWith('record'))('the object %s', (_path, schema) => {
    const long = 'x'.repeat(100_000);
    for (const value of [{ [long]: 1 }, { name: long }, { name: [{ name: long }] }])
      expect(isAccepted(schema, value)).toBe(false);
  });
});

it('every field of a call has a rule or is ignored', () => {
  const known = ['string', 'number', 'literal', 'enum', 'undefined', 'boolean', 'record', 'transform'];
  expect(leaves.filter(({ type }) => !known.includes(type)).map(({ path }) => path)).toEqual([]);
  // The only fields that accept any value: what is not a number counts as 0 (§5).
  const prices = ['plans.create.price', 'plans.update.price'];
  expect(fieldsWith('transform').map(([path]) => path)).toEqual(prices);
});

it('the value of an ignored field is never read', () => {
  const fail = () => {
    throw new Error('was read');
  };
  const trap = new Proxy({}, { get: fail, ownKeys: fail, has: fail, getPrototypeOf: fail });
  expect(
    z.parse(payloadOf(interactions.createInteraction), { planId: 'p1', plan: trap, price: trap }),
  ).toEqual({
    planId: 'p1',
  });
});

describe('only a decimal number is read as a price', () => {
  const price = (value: unknown) => z.safeParse(NewPlan.shape.price, value);
  let deep: unknown = [];
  for (let level = 0; level < 100_000; level++) deep = [deep];
  it.each([
    ['hexadecimal', '0x64'],
    ['binary', '0b1111111'],
    ['an exponent', '1e3'],
    ['Infinity', 'Infinity'],
    ['a list', [500]],
    ['a deep list', deep],
    ['an object', {}],
    ['an object with its own toString', { toString: 'x' }],
    ['an object with its own valueOf', { valueOf: () => 500 }],
    ['true', true],
    ['null', null],
    ['NaN', Number.NaN],
    ['two points', '5.0.0'],
    ['other digits', '٥٠٠'],
  ])('%s counts as 0', (_case, value) => expect(price(value).data).toBe(0));
  it.each([
    ['500', 500],
    [' 750.50 ', 750.5],
    [500.25, 500.25],
    ['+100.', 100],
  ])('%j is %d', (value, pesos) => expect(price(value).data).toBe(pesos));
  it.each([1e308, Number.POSITIVE_INFINITY, '9'.repeat(400), 10_000_000, -1, '-1'])(
    '%j is refused',
    (value) => expect(price(value).success).toBe(false),
  );
});

describe('a whole number of a query', () => {
  it.each([0, 7, '7', '007', largestInteger, String(largestInteger)])('%j is accepted', (value) =>
    expect(z.parse(queryNumber(), value)).toBe(Number(value)),
  );
  it.each([
    '',
    ' 7',
    '-1',
    '0x7',
    '7.0',
    '1e3',
    '2147483648',
    '9'.repeat(400),
    ['7'],
    ['1', '2'],
    null,
    true,
    {},
    -1,
    0.5,
  ])('%j is refused', (value) => expect(isAccepted(queryNumber(), value)).toBe(false));
});

it('a new plan without a place and photos has none, and takes two hours', () => {
  const { place, imageIds, durationMinutes } = NewPlan.shape;
  expect([place, imageIds, durationMinutes].map((field) => z.parse(field, undefined))).toEqual(['', [], 120]);
});

it('a dispute and its answer without chosen messages have none', () => {
  for (const { messageIds } of [NewDispute.shape, NewAnswer.shape])
    expect(z.parse(messageIds, undefined)).toEqual([]);
});

it('a new post without a description of its picture has none', () => {
  expect(z.parse(NewPost.shape.alt, undefined)).toBe('');
});

it('a new review without tags and photos has none', () => {
  const { tags, imageIds } = NewReview.shape;
  expect([tags, imageIds].map((field) => z.parse(field, undefined))).toEqual(['', []]);
});

it.each(['7', true, null, [7], 2147483648, -1, 0.5])('%j is not a whole number in a body', (value) =>
  expect(isAccepted(wholeNumber(), value)).toBe(false),
);
