import type { Call } from '@tara/contract/calls';
import { fillPath } from '@tara/contract/url';
import type { Random } from '@tara/proof/random';
import { hostileEntries, hostileValues, nearValues } from '../values/hostile.ts';
import { fieldsOf, readShapes, takesSomething } from '../values/schema.ts';
import { Fields, Quoted, type Value, writeJson } from '../values/value.ts';
import type { ActorName, Hint, HttpInput } from './input.ts';
import { multipartBody } from './multipart.ts';
import { validFields, validValue } from './valid.ts';

/** A call with the name it has in findings. */
export interface NamedCall {
  name: string;
  call: Call;
}

export interface Making {
  random: Random;
  hint: Hint;
}

/** A value as one part of a target. */
function asText(value: Value): string {
  if (typeof value === 'string') return value;
  return writeJson(value instanceof Quoted ? value.inner : value);
}

function encoded(text: string): string {
  // What no URL can hold is sent as the bytes of its code units.
  return encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed());
}

interface RequestParts {
  params: Fields;
  query: Fields;
  body: Value | undefined;
}

function validParts({ name, call }: NamedCall, actor: ActorName, { random, hint }: Making): RequestParts {
  const context = { call: name, actor, hint, random };
  const fields = (part: 'params' | 'query') =>
    takesSomething(call[part]) ? validFields(readShapes(call[part]).input, context) : new Fields([]);
  const body = takesSomething(call.body)
    ? validValue(readShapes(call.body).input, { ...context, field: 'body' })
    : undefined;
  return { params: fields('params'), query: fields('query'), body };
}

/** Puts the parts together. */
function assemble({ name, call }: NamedCall, actor: ActorName, what: string, parts: RequestParts): HttpInput {
  const values = new Map(parts.params.entries);
  const path = fillPath(call.path, (key) => encoded(asText(values.get(key) ?? '')));
  const query = parts.query.entries.map(([key, value]) => [encoded(key), encoded(asText(value))] as const);
  const body = parts.body === undefined ? null : ({ kind: 'json', value: parts.body } as const);
  const headers: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' };
  return { kind: 'http', call: name, actor, what, method: call.method, path, query, headers, body };
}

/** One field of a part, valid but for one of its values. */
function changedField(
  named: NamedCall,
  parts: RequestParts,
  random: Random,
  near: boolean,
): { what: string; parts: RequestParts } | null {
  const candidates = (['params', 'query', 'body'] as const).flatMap((part) =>
    takesSomething(named.call[part])
      ? fieldsOf(readShapes(named.call[part]).input).map(([field, shape]) => ({ part, field, shape }))
      : [],
  );
  if (candidates.length === 0) return null;
  const { part, field, shape, index } = random.deal(`${named.name} ${near}`, () =>
    candidates.flatMap((field) => {
      const count = near ? nearValues(field.shape, '').length : hostileValues.length;
      return Array.from({ length: count }, (_, index) => ({ ...field, index }));
    }),
  );
  const whole = parts[part];
  const fields = whole instanceof Fields ? whole : new Fields([]);
  const current = new Map(fields.entries).get(field) ?? '';
  const { what, value } = (near ? nearValues(shape, current) : hostileValues)[index] ?? {
    what: 'null',
    value: null,
  };
  // Only a body can contain large values.
  if (part !== 'body' && value !== undefined && asText(value).length > 8_000) return null;
  return { what: `${part}.${field}: ${what}`, parts: { ...parts, [part]: fields.with(field, value) } };
}

const contentTypes = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json;;;',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'APPLICATION/JSON',
  'a'.repeat(3_000),
  '',
];

/** The body as a whole is not what the call takes. */
function strangeBody(input: HttpInput, random: Random): HttpInput {
  const json = (what: string, value: Value): HttpInput => ({
    ...input,
    what: `body: ${what}`,
    headers: { ...input.headers, 'content-type': 'application/json' },
    body: { kind: 'json', value },
  });
  const value = input.body?.kind === 'json' ? input.body.value : new Fields([]);
  const way = random.int(0, 6);
  if (way <= 1 && value instanceof Fields) {
    const { what, entries } = hostileEntries(random);
    return json(what, new Fields([...value.entries, ...entries]));
  }
  if (way === 2 && value instanceof Fields)
    return json('every field twice', new Fields([...value.entries, ...value.entries]));
  if (way === 3) {
    const type = random.pick(contentTypes);
    return { ...json(`content-type ${type.slice(0, 60)}`, value), headers: { 'content-type': type } };
  }
  if (way === 4) {
    const { length } = writeJson(value);
    return {
      ...input,
      what: 'body: cut',
      headers: { 'content-type': 'application/json' },
      body: { kind: 'json', value, cutAt: random.int(0, Math.max(0, length - 1)) },
    };
  }
  if (way === 5) return { ...json('hangs up', value), closesEarly: true };
  const { what, value: strange } = random.deal('bodies', () => hostileValues);
  return json(what, strange ?? null);
}

const strangeQueries: ReadonlyArray<readonly [string, string]> = [
  ['', ''],
  ['__proto__', '1'],
  ['__proto__[polluted]', '1'],
  ['constructor', '1'],
  ['cursor', ''],
  ['cursor', '%00'],
  ['cursor', '%ff%fe'],
  ['cursor', '%'],
  ['cursor', 'bm9uc2Vuc2U'],
  ['cursor', encodeURIComponent(Buffer.from('["2026-01-01T00:00:00.000Z","\u0000"]').toString('base64'))],
  ['cursor', Buffer.from('["+275760-09-13T00:00:00.000Z","a"]').toString('base64url')],
  ['cursor', Buffer.from('["9999-99-99","a"]').toString('base64url')],
  ['cursor', Buffer.from('{"toString":1}').toString('base64url')],
  ['project', 'other'],
  ['project', '%00'],
  ['width', '-0'],
  ['width', '1e3'],
  ['pages', '0x10'],
  ['search', '%25_%5c'],
  ['search', '%ed%a0%80'],
];

function strangeQuery(input: HttpInput, random: Random): HttpInput {
  if (random.chance(0.1)) {
    const many = Array.from({ length: 1_500 }, (_, index) => [`p${index}`, '1'] as const);
    return { ...input, what: '1,500 parameters', query: many };
  }
  if (random.chance(0.3) && input.query.length > 0)
    return { ...input, what: 'repeated parameters', query: [...input.query, ...input.query] };
  const [name, value] = random.pick(strangeQueries);
  const times = random.pick([1, 2]);
  const others = input.query.filter(([key]) => key !== name);
  return {
    ...input,
    what: `query ${name}=${value.slice(0, 20)} ×${times}`,
    query: [...others, ...Array<readonly [string, string]>(times).fill([name, value])],
  };
}

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

function strangePath(input: HttpInput, random: Random): HttpInput {
  const { path } = input;
  const paths: [string, string][] = [
    ['an escaped letter', path.replace(/[a-z]/, escaped)],
    ['every letter escaped', path.replace(/[a-z]/g, escaped)],
    ['an escaped slash', path.replace(/(?!^)\//, '%2f')],
    ['a slash at the end', `${path}/`],
    ['two slashes', path.replace('/', '//')],
    ['upper case', path.toUpperCase()],
    ['a bare %', `${path}%`],
    ['only %', '/%'],
    ['%00', `${path}%00`],
    ['half of a character', `${path}%c3`],
    ['an overlong slash', `${path}%c0%af`],
    ['a lone surrogate', `${path}%ed%a0%80`],
    ['dots', `${path}/../..${path}`],
    ['escaped dots', `${path}/%2e%2e/%2e%2e`],
    ['a long part', `${path}${'a'.repeat(4_000)}`],
    ['a semicolon', `${path};a=b`],
    ['an absolute target', `http://127.0.0.1${path}`],
    ['a last part of a prototype', path.replace(/[^/]+$/, '__proto__')],
  ];
  const [what, changed] = random.pick(paths);
  return { ...input, what: `path: ${what}`, path: changed };
}

const strangeHeaders: ReadonlyArray<readonly [string, string]> = [
  ['x-fallback-cookies', '{"a_session_tara":'],
  ['x-fallback-cookies', `{"a_session_tara":${'['.repeat(2_000)}${']'.repeat(2_000)}}`],
  ['x-fallback-cookies', '{"__proto__":{"a_session_tara":"x"}}'],
  ['x-appwrite-session', 'a'.repeat(600)],
  ['x-appwrite-project', 'other'],
  ['x-appwrite-project', 'tara'],
  ['cookie', 'a_session_tara=%00; a_session_tara=%'],
  ['cookie', Array.from({ length: 300 }, (_, index) => `c${index}=1`).join('; ')],
  ['origin', 'null'],
  ['origin', 'http://10.evil.example'],
  ['sec-fetch-site', 'cross-site'],
  ['accept-encoding', 'gzip;q=nan, br;q=1e9'],
  ['content-encoding', 'gzip'],
  ['content-range', 'bytes 0-9/99999999999'],
  ['range', 'bytes=-1,0-0,9-1'],
  ['range', 'bytes=0-0'],
  ['range', 'bytes=5-2'],
  ['range', 'bytes=0-99999999999'],
  ['range', 'items=0-1'],
  ['x-appwrite-id', '../a'],
  ['x-appwrite-id', 'fuzz-part-1'],
  ['if-none-match', '"a",'.repeat(1_500)],
  ['transfer-encoding', 'chunked'],
  ['expect', '100-continue'],
  ['upgrade', 'websocket'],
  ['x-http-method-override', 'DELETE'],
  ['user-agent', `${'a'.repeat(4_000)}\u00ff`],
  ['accept', 'a'.repeat(20_000)],
];

function strangeHeader(input: HttpInput, random: Random): HttpInput {
  const [name, value] = random.pick(strangeHeaders);
  return {
    ...input,
    what: `header ${name}: ${value.slice(0, 30)}`,
    headers: { ...input.headers, [name]: value },
  };
}

/** One request of a call: valid, near-valid or hostile, chosen at random. */
export function makeHttpInput(named: NamedCall, actor: ActorName, making: Making): HttpInput {
  const { random } = making;
  const parts = validParts(named, actor, making);
  const plain = assemble(named, actor, 'valid', parts);
  const valid = named.call.bodyKind === 'multipart' ? multipartBody(plain, random, 'valid') : plain;
  const kind = random.next();
  if (kind < 0.18) return valid;
  if (kind < 0.75) {
    if (named.call.bodyKind === 'multipart' && random.chance(0.8))
      return multipartBody(plain, random, 'hostile');
    const changed = changedField(named, parts, random, kind < 0.4);
    if (changed) {
      const input = assemble(named, actor, changed.what, changed.parts);
      return named.call.bodyKind === 'multipart' ? multipartBody(input, random, 'valid') : input;
    }
  }
  const ways = [strangeBody, strangeQuery, strangePath, strangeHeader];
  const takesBody = named.call.method !== 'GET';
  return random.pick(takesBody ? [...ways, strangeBody] : ways)(valid, random);
}
