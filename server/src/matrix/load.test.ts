import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseQueries, type Query } from '../backend/documents/queries.ts';
import { readFilter } from '../backend/realtime-filter.ts';
import { backendTest } from '../testing/backend.ts';
import { realtimeClient } from '../testing/realtime-client.ts';
import { addMember } from '../testing/sessions.ts';

const page = resolve(import.meta.dirname, '../../../docs/security.md');
const [begin, end] = ['<!-- load: begin -->', '<!-- load: end -->'];

const everyCall = Object.entries(allCalls).flatMap(([table, calls]) =>
  Object.entries(calls).map(([name, call]) => ({ name: `${table}.${name}`, call })),
);

/** What a caller may send in one request at most. */
interface Size {
  characters: number;
  values: number;
}
type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Fields without a limit of their own, and the limit of the request that holds for them. */
const limitedElsewhere: Record<string, string> = {
  'account.updatePrefs body.prefs': 'the body: 256 KiB, 10,000 values, 32 levels',
  'documents.create body.data': 'the body; each attribute by its collection',
  'documents.update body.data': 'the body; each attribute by its collection',
  'documents.list query': 'the header: 16 KiB; 100 queries of 4,096 characters',
  'documents.get query': 'the header: 16 KiB; 100 queries of 4,096 characters',
  'storage.list query': 'the header: 16 KiB; 100 queries of 4,096 characters',
  'profiles.updateAbout body.birthDate': 'a day: 10 characters',
  'verification.correctBirthDate body.birthDate': 'a day: 10 characters',
  'disputes.open body.reason': 'one of the reasons',
};

/** Adds up the most that a schema takes; what has no limit is added to `unlimited`. */
function largest(schema: unknown, path: string, unlimited: string[]): Size {
  if (!isJson(schema)) return { characters: 0, values: 0 };
  const sum = (sizes: Size[]) =>
    sizes.reduce(
      (total, size) => ({
        characters: total.characters + size.characters,
        values: total.values + size.values,
      }),
      { characters: 0, values: 0 },
    );
  const options = [...list(schema.anyOf), ...list(schema.oneOf), ...list(schema.allOf)];
  if (options.length > 0) return sum(options.map((option) => largest(option, path, unlimited)));
  if (schema.type === 'object') {
    if (isJson(schema.additionalProperties)) unlimited.push(path);
    const fields = isJson(schema.properties) ? Object.entries(schema.properties) : [];
    return sum(fields.map(([name, field]) => largest(field, `${path}.${name}`, unlimited)));
  }
  if (schema.type === 'array') {
    if (typeof schema.maxItems !== 'number') unlimited.push(path);
    const item = largest(schema.items, path, unlimited);
    const count = Number(schema.maxItems ?? 0);
    return { characters: item.characters * count, values: item.values * count };
  }
  const isLimited =
    schema.type !== 'string' ||
    ['maxLength', 'enum', 'const', 'pattern', 'format'].some((rule) => rule in schema);
  if (!isLimited) unlimited.push(path);
  return { characters: Number(schema.maxLength ?? 0), values: 1 };
}

function sizeOf({ name, call }: { name: string; call: Call }, unlimited: string[]): Size {
  const sizes = (['params', 'query', 'body'] as const).map((part) => {
    const schema = call[part];
    if (schema._zod.def.type === 'undefined') return { characters: 0, values: 0 };
    return largest(
      z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
      `${name} ${part}`,
      unlimited,
    );
  });
  return {
    characters: sizes.reduce((sum, size) => sum + size.characters, 0),
    values: sizes.reduce((sum, size) => sum + size.values, 0),
  };
}

const queryFields = ({ query }: Call): string[] => {
  if (query._zod.def.type === 'undefined') return [];
  const { properties } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties ?? {});
};
const passwords =
  /^(account\.(create|createEmailSession|updatePassword|updateEmail|updatePhone|confirmRecovery)|accounts\.(signUp|confirmPassword))$/;

interface Kind {
  name: string;
  has(name: string, call: Call): boolean;
  /** Who chooses how much work it is, and what. */
  chooses: string;
  /** The limits, and their product. */
  limits: string;
}

/** Kinds of calls; each call is of the first that has it. What is new and of none fails. */
const kinds: readonly Kind[] = [
  {
    name: 'upload of a picture or file',
    has: (name) => name === 'files.create',
    chooses: 'the sender: bytes, pixels, pace, how many at once',
    limits:
      '20 MB, 50 million pixels, 20 s of CPU time, 60 s of sending; 60 a minute; 2 at once of an account, 8 of an address, 12 of all; 60 s of CPU time in 10 minutes; large pictures have their own process',
  },
  {
    name: 'preview of a picture',
    has: (name) => name === 'storage.preview',
    chooses: 'the reader: size, format, how many different ones',
    limits:
      '17 million pixels (9 million in slow formats), 10 s of CPU time; one at once of an account; the CPU time of uploads',
  },
  {
    name: 'queries of documents and files',
    has: (_name, call) =>
      call.path.startsWith('/v1/databases') || call.path === '/v1/storage/buckets/:bucketId/files',
    chooses: 'the reader: conditions, values, nesting, offset',
    limits:
      '16 KiB of header hold all queries of a list; 100 queries, 100 values each, 3 levels; 100 documents, offset 100,000; the time limit of statements; 120 a minute',
  },
  {
    name: 'password',
    has: (name) => passwords.test(name),
    chooses: 'the caller: how often',
    limits:
      'one hash each (19 MiB, two passes), one or two at once of all; one of an address, 300 with those that wait, one of an account, 5 with those that wait; a wrong one doubles the wait, and 60 wrong ones a minute are taken of an address',
  },
  {
    name: 'mail and text message',
    has: (_name, call) =>
      /magic-url|tokens\/(email|phone)|sessions\/phone|recovery|verification|resend/i.test(call.path),
    chooses: 'the caller: how often, to whom',
    limits: 'one message each; by caller, by receiver and by address (features/accounts/limits.ts)',
  },
  {
    name: 'search',
    has: (_name, call) => queryFields(call).includes('search'),
    chooses: 'the reader: words',
    limits:
      'one statement; a text of limited length, a page of hits; slices of the newest words (decision 0034)',
  },
  {
    name: 'list',
    has: (_name, call) => queryFields(call).includes('cursor'),
    chooses: 'nobody: the page has a fixed size',
    limits: 'a page; 8 at once of an account',
  },
  {
    name: 'record or small list',
    has: (_name, call) => call.method === 'GET',
    chooses: 'nobody',
    limits: 'what its parameters name; 8 at once of an account',
  },
  {
    name: 'write',
    has: (_name, call) => call.method !== 'GET',
    chooses: 'the sender: texts, pictures of a list',
    limits:
      'each field by the contract, the body by 256 KiB, 10,000 values and 32 levels; 8 at once of an account',
  },
];
const kindOf = ({ name, call }: { name: string; call: Call }) => kinds.find((kind) => kind.has(name, call));

it('no field of any call is without a limit', () => {
  const unlimited: string[] = [];
  for (const one of everyCall) sizeOf(one, unlimited);
  expect(unlimited.toSorted()).toEqual(Object.keys(limitedElsewhere).toSorted());
});

it('no list lets its reader choose how long a page is', () => {
  const choosing = everyCall.filter(
    (one) =>
      kindOf(one)?.name === 'list' &&
      queryFields(one.call).some((name) => /limit|size|count|offset/i.test(name)),
  );
  expect(choosing.map(({ name }) => name)).toEqual([]);
});

const test = backendTest({ TRUST_PROXY: '1' }).extend('member', { scope: 'file' }, ({ connection }) =>
  addMember(connection),
);

const countConditions = (query: Query): number =>
  'values' in query
    ? (query.values as unknown[]).reduce<number>(
        (sum, value) => sum + (isJson(value) ? countConditions(value as unknown as Query) : 1),
        1,
      )
    : 1;

/** Of everything with values and a method, the nested ones whose text costs the least. */
const nested = (count: number) => `or(${Array(count).fill('isNull("a")').join()})`;
const measured: Record<string, number> = {};

test('the largest queries of a list that fit a header are a few thousand conditions', async ({
  backend,
  member,
}) => {
  const ask = (queries: string[]) =>
    fetch(
      `${backend.url}/v1/databases/tara/collections/posts/documents?${queries.map((query) => `queries[]=${encodeURIComponent(query)}`).join('&')}`,
      { headers: { 'x-appwrite-session': member.secret, 'x-appwrite-project': 'tara' } },
    );
  const largestText = `{"method":"equal","attribute":"$id","values":[${Array(100).fill('"a"').join()}]}`;
  const most = Array.from({ length: 16 }, () => largestText);
  const conditions = parseQueries(most).reduce((sum, query) => sum + countConditions(query), 0);
  measured['queries of documents and files'] = conditions;
  expect(conditions).toBeLessThanOrEqual(2_000);
  expect((await ask(most.slice(0, 8))).status).toBe(200);
  expect((await ask([...most, ...most])).status).toBe(431);
  expect((await ask([nested(101)])).status).toBe(400);
});

test('the most that one member can subscribe to are 500 values, and 1,000 comparisons an event', async ({
  backend,
  member,
}) => {
  const filters = Array.from({ length: 6 }, (_, index) => ({
    subscriptionId: `s${index}`,
    channels: ['documents'],
    queries: [
      JSON.stringify({
        method: 'equal',
        attribute: 'tags',
        values: Array.from({ length: 100 }, (_, value) => `${value}`),
      }),
    ],
  }));
  const values = filters.map(({ queries }) => readFilter(queries)?.values ?? 0);
  expect(values).toEqual(Array(6).fill(100));
  const client = realtimeClient(backend.url, member.secret);
  await client.next();
  client.say('subscribe', filters);
  expect(await client.next()).toMatchObject({ type: 'error', data: { code: 1013 } });
  client.say('subscribe', filters.slice(0, 5));
  expect(await client.next()).toMatchObject({ type: 'response' });
  measured.subscription = 500;
  client.socket.terminate();
});

/** The lines of the table. */
function tableLines(): string[] {
  const rows = kinds.map(({ name, chooses, limits }) => {
    const calls = everyCall.filter((one) => kindOf(one)?.name === name);
    const sizes = calls.map((one) => ({ ...one, ...sizeOf(one, []) }));
    const top = sizes.toSorted((one, other) => other.characters - one.characters)[0];
    const largestInput =
      top === undefined ? '-' : `\`${top.name}\`: ${top.characters} characters, ${top.values} values`;
    const cost = measured[name] === undefined ? largestInput : `${measured[name]} conditions and values`;
    return `| ${name} | ${calls.length} | ${chooses} | ${limits} | ${cost} |`;
  });
  return [
    '| Input | Calls | Who chooses the amount of work | Limits, and their product | Largest input |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    `| subscription | 1 | the listener: sockets, channels, queries, values | 64 sockets × 100 subscriptions × 100 values, but 500 values and 128 KiB of an account, 5,000 of an address; 1,000 comparisons an event (decision 0111) | ${measured.subscription} values |`,
  ];
}

it('every call has a row, and the table of docs/security.md shows all of them', () => {
  expect(everyCall.filter((one) => kindOf(one) === undefined)).toEqual([]);
  for (const { name } of kinds)
    expect(
      everyCall.some((one) => kindOf(one)?.name === name),
      name,
    ).toBe(true);
  const text = readFileSync(page, 'utf8');
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  expect(start).toBeGreaterThan(0);
  const written = `${begin}\n\n${tableLines().join('\n')}\n\n`;
  if (process.env.WRITE_MATRIX === '1')
    writeFileSync(page, text.slice(0, start) + written + text.slice(stop));
  else expect(text.slice(start, stop)).toBe(written);
});
