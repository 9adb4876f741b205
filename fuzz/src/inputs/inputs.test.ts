import { posts } from '@tara/contract/posts';
import { expect, test } from 'vitest';
import { productCalls } from '../calls.ts';
import { shrink } from '../shrink.ts';
import { Random } from '../values/random.ts';
import { readShapes, unknownFields } from '../values/schema.ts';
import { deepArray, Fields, fromData, longText, writeJson } from '../values/value.ts';
import { frameCalls, makeFrameInput } from './frames.ts';
import { makeHttpInput } from './http.ts';
import { type HttpInput, lineOf } from './input.ts';

const linesOf = (seed: number) => {
  const making = { random: new Random(seed), hint: () => undefined };
  return [
    ...productCalls.map((named) => lineOf(makeHttpInput(named, 'member', making))),
    ...frameCalls.map((call) => lineOf(makeFrameInput(call, 'guest', making))),
  ];
};

const request: HttpInput = {
  kind: 'http',
  call: 'plans.create',
  actor: 'party',
  what: 'body.price: own toString',
  method: 'POST',
  path: '/api/plan/create',
  query: [['a', '1']],
  headers: { 'content-type': 'application/json' },
  body: {
    kind: 'json',
    value: new Fields([
      ['title', longText(30)],
      ['price', deepArray(1_000)],
    ]),
  },
};
const textOf = (input: HttpInput) => (input.body?.kind === 'json' ? writeJson(input.body.value) : '');

test('the same seed repeats every input, and another seed creates others', () => {
  expect(linesOf(3)).toEqual(linesOf(3));
  expect(linesOf(3)).not.toEqual(linesOf(4));
});

test('inputs of the realtime socket include its five frames and its URL', () => {
  expect(frameCalls).toEqual([
    'realtime ping',
    'realtime authentication',
    'realtime subscribe',
    'realtime presence',
    'realtime unsubscribe',
    'realtime address',
  ]);
});

test('an object may hold a key twice, and __proto__ as any other', () => {
  const value = new Fields([
    ['a', 1],
    ['a', 2],
    ['__proto__', fromData({ polluted: true })],
  ]);
  expect(writeJson(value)).toBe('{"a":1,"a":2,"__proto__":{"polluted":true}}');
});

test('a failing input is shrunk to the part that causes the failure', async () => {
  const fails = async (input: HttpInput) => textOf(input).includes('[[[');
  const smallest = await shrink(request, async (input) => input.kind === 'http' && fails(input));
  expect(lineOf(smallest)).toBe(
    `curl --path-as-is -X POST '/api/plan/create' -H 'x-appwrite-session: <party>' -H 'content-type: application/json' --data-binary "$(node -p '\`{"price":\${"[".repeat(3)}\${"]".repeat(3)}}\`')"`,
  );
});

test('a field that is not in the contract is unknown at any depth', () => {
  const item = { id: 'a', creator: { id: 'b', email: 'c@fuzz.test' } };
  const { output } = readShapes(posts.feed.reply);
  expect(unknownFields(output, { items: [item], next: null, total: 1 })).toEqual([
    'items[0].creator.email',
    'total',
  ]);
});
