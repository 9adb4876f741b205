import { posts } from '@tara/contract/posts/posts';
import { Random } from '@tara/proof/random';
import { queryMethods } from '@tara/server/backend/documents/queries';
import { readFilter } from '@tara/server/backend/realtime/filter';
import { readMessage } from '@tara/server/backend/realtime/protocol';
import { shareLimits } from '@tara/server/platform/realtime/shares';
import { describe, expect, test } from 'vitest';
import { productCalls } from '../calls.ts';
import { shrink } from '../shrink.ts';
import { readShapes, unknownFields } from '../values/schema.ts';
import { deepArray, Fields, fromData, longText, writeJson } from '../values/value.ts';
import { frameCalls, makeFrameInput } from './frames.ts';
import { makeHttpInput } from './http.ts';
import { formatInput, type HttpInput } from './input.ts';
import { valuesFilter } from './queries.ts';

const linesOf = (seed: number) => {
  const making = { random: new Random(seed), hint: () => undefined };
  return [
    ...productCalls.map((named) => formatInput(makeHttpInput(named, 'member', making))),
    ...frameCalls.map((call) => formatInput(makeFrameInput(call, 'guest', making))),
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

describe('subscriptions have queries', () => {
  const making = { random: new Random(11), hint: () => undefined };
  const inputs = Array.from({ length: 400 }, () => makeFrameInput('realtime subscribe', 'member', making));
  const sent = inputs.map(({ frame }) => (frame === null ? '' : writeJson(frame)));

  test.for(queryMethods)('of the method %s', (method) => {
    const written = [`"method\\":\\"${method}\\"`, `"${method}(\\"`];
    expect(sent.some((text) => written.some((one) => text.includes(one)))).toBe(true);
  });

  test('that the server takes, with as many values, sockets and subscriptions as it takes, and more', () => {
    const frames = sent.flatMap((text) => readMessage(text) ?? []);
    const values = frames.flatMap((frame) => {
      if (frame.type !== 'subscribe') return [];
      try {
        return [frame.data.reduce((sum, { queries }) => sum + (readFilter(queries)?.values ?? 0), 0)];
      } catch {
        return [];
      }
    });
    const { values: accountValues = 0, members = 0 } = shareLimits.account;
    expect(values).toContain(accountValues);
    expect(values.some((count) => count > accountValues)).toBe(true);
    const accepted = values.filter((count) => count > 0 && count <= accountValues);
    expect(accepted.length).toBeGreaterThan(inputs.length / 4);
    expect(inputs.some(({ sockets }) => sockets > members)).toBe(true);
  });
});

test('a failing subscription is shrunk within its queries', async () => {
  const input = { kind: 'frame', call: 'realtime subscribe', actor: 'member', what: 'valid' } as const;
  const queries = [1, 2].map((index) => valuesFilter(100, index * 100));
  const frame = new Fields([
    ['type', 'subscribe'],
    ['data', [new Fields([['queries', queries]])]],
  ]);
  const smallest = await shrink(
    { ...input, frame, binary: false, times: 1, sockets: 64, address: '' },
    async (candidate) => formatInput(candidate).includes('00:02:0'),
  );
  // Of 200 values and 64 sockets.
  expect(formatInput(smallest)).not.toContain('sockets');
  expect(formatInput(smallest).match(/000Z/g)?.length).toBeLessThanOrEqual(2);
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
  expect(formatInput(smallest)).toBe(
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
