import { calls, get, post } from '@tara/contract/calls';
import type { ProblemReply } from '@tara/contract/problems';
import { describe, expect, expectTypeOf } from 'vitest';
import { z } from 'zod';
import { serverTest } from '../../testing/test.ts';
import { type Input, serve } from './serve.ts';
import type { Viewer } from './viewer.ts';

const { strict } = calls('/api/sample', {
  strict: post('/strict', {
    summary: '',
    access: 'anyone',
    body: z.strictObject({
      text: z.string().optional(),
      list: z.array(z.number()).optional(),
      inner: z.strictObject({ text: z.string() }).optional(),
      old: z.unknown().optional(),
    }),
    reply: z.object({ read: z.unknown() }),
  }),
});
/** How often the call's own function ran. */
let ran = 0;
const test = serverTest((app) => {
  serve(app, strict, async ({ body }) => {
    ran++;
    return { read: body };
  });
}).extend(
  'send',
  { scope: 'file' },
  ({ server }) =>
    async (payload: string, headers: Record<string, string> = { 'content-type': 'application/json' }) => {
      const before = ran;
      const answer = await server.request(null, { method: 'POST', url: strict.path, payload, headers });
      return { answer, reached: ran > before, problem: () => answer.json<ProblemReply>() };
    },
);

describe('no body that is too deep or too large reaches a schema (threat-injected-queries)', () => {
  const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  test.for([
    ['an ignored field 130,000 levels deep', `{"old":${lists(130_000 - 5)}}`, 'nested deeper than 32 levels'],
    ['an ignored field 33 levels deep', `{"old":${lists(32)}}`, 'nested deeper than 32 levels'],
    ['an unknown field 33 levels deep', `{"other":${lists(32)}}`, 'nested deeper than 32 levels'],
    ['10,000 values in a list', `{"old":[${Array(10_000).fill('0').join()}]}`, 'more than 10,000 values'],
    ['80,000 empty objects', `{"old":[${Array(80_000).fill('{}').join()}]}`, 'more than 10,000 values'],
  ] as const)('%s', async ([_what, payload, rule], { send }) => {
    const { answer, problem, reached } = await send(payload);
    expect(answer.statusCode).toBe(400);
    expect(problem()).toMatchObject({
      type: 'general_argument_invalid',
      code: 400,
      message: expect.stringContaining(rule),
      fields: { body: expect.stringContaining(rule) },
      requestId: expect.any(String),
    });
    expect(reached).toBe(false);
  });

  test('a body at the limit of depth or size reaches its schema', async ({ send }) => {
    const { answer } = await send(`{"old":${lists(31)}}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ read: { old: JSON.parse(lists(31)) } });
  });

  test('an empty body counts as no body', async ({ send }) => {
    expect((await send('')).answer.statusCode).toBe(200);
  });
});

describe('no name of a field empties an error', () => {
  test.for(['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'isPrototypeOf'])(
    '%s',
    async (name, { send }) => {
      const { answer, problem } = await send(JSON.stringify({ [name]: 1 }));
      expect(answer.statusCode).toBe(400);
      expect(problem().message).toContain(name);
      expect(Object.entries(problem().fields ?? {})).toEqual([[name, 'is not a field of this call']]);
    },
  );

  test.for(['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}'])(
    '%s is refused as a whole',
    async (payload, { send }) => {
      const { answer, problem, reached } = await send(payload);
      expect(answer.statusCode).toBe(400);
      expect(problem().fields?.body).toMatch(/^Must not have a field '__proto__'/);
      expect(reached).toBe(false);
    },
  );
});

describe('nobody gets an answer larger than what they sent (threat-injected-queries)', () => {
  const unknown = (count: number, name = 'unknown') =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, 1])));
  test.for([
    ['9,000 unknown fields', unknown(9_000)],
    ['fields with long names', unknown(50, 'n'.repeat(4000))],
    ['one field with a name of 200,000 characters', unknown(1, 'n'.repeat(200_000))],
    ['a list of 9,000 wrong values', JSON.stringify({ list: Array(9_000).fill('x') })],
  ] as const)('%s', async ([_what, payload], { send }) => {
    const { answer, problem } = await send(payload);
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(problem().fields ?? {}).length).toBeLessThanOrEqual(20);
    expect(answer.body.length).toBeLessThan(6_000);
  });

  test('names the field within another', async ({ send }) => {
    const { problem } = await send(JSON.stringify({ inner: { text: 'x', more: 1 } }));
    expect(problem().fields).toEqual({ 'inner.more': 'is not a field of this call' });
  });

  test('names the field that cannot be stored', async ({ send }) => {
    const { problem } = await send(JSON.stringify({ inner: { text: 'a\0' } }));
    expect(problem().fields).toEqual({ 'inner.text': 'Contains characters that cannot be stored.' });
  });
});

test('has a viewer that may be null exactly in calls that anyone may make', () => {
  const table = calls('/api/typed', {
    open: get('/open', { summary: '', access: 'anyone', reply: z.object({}) }),
    own: get('/own', { summary: '', access: 'account', reply: z.object({}) }),
    usual: get('/usual', { summary: '', reply: z.object({}) }),
  });
  expectTypeOf<Input<typeof table.open>['viewer']>().toEqualTypeOf<Viewer | null>();
  expectTypeOf<Input<typeof table.own>['viewer']>().toEqualTypeOf<Viewer>();
  expectTypeOf<Input<typeof table.usual>['viewer']>().toEqualTypeOf<Viewer>();
  expect(Object.values(table).map(({ access }) => access)).toEqual(['anyone', 'account', 'member']);
});
