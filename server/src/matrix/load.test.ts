import { maxHeaderSize } from 'node:http';
import { crc32 } from 'node:zlib';
import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import {
  captionLength,
  locationLength,
  maxPagesPerCall,
  pageSize,
  search,
  searchLength,
  tagsLength,
  upload,
} from '@tara/contract/limits';
import { pageSection } from '@tara/proof/page-section';
import { markdownTable } from '@tara/proof/table';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { parseQueries, type Query, queryLimits } from '../backend/documents/queries.ts';
import { mostSkipped, pageLimits } from '../backend/documents/sql.ts';
import { mostValues, readFilter } from '../backend/realtime/filter.ts';
import { frameLimit, perMinute } from '../backend/realtime/realtime.ts';
import { initials, largestSide } from '../backend/storage/avatars.ts';
import { uploadPace } from '../backend/storage/multipart.ts';
import { uploadShares, uploadsPerMinute } from '../backend/storage/storage.ts';
import { passwordShares } from '../features/accounts/password.ts';
import { deliveryLimitBytes } from '../features/payments/routes.ts';
import { timeLimits } from '../platform/database/connect.ts';
import { mostValues as mostJsonValues, mostLevels } from '../platform/http/json.ts';
import { requestsPerMinute } from '../platform/http/rate-limits.ts';
import { bodyLimit, callsUnderWay } from '../platform/http/server.ts';
import { maxPixels, maxStoredBytes } from '../platform/images/process.ts';
import { pictureBudget } from '../platform/images/queue.ts';
import { mostPixels } from '../platform/images/size.ts';
import { pictureSeconds, previewSeconds } from '../platform/images/worker-process.ts';
import { mostChannels, mostSubscriptions } from '../platform/realtime/connection.ts';
import { shareLimits } from '../platform/realtime/shares.ts';
import { classifyWork } from '../platform/work.ts';
import { realtimeClient } from '../testing/backend/realtime-client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { pictureBytes } from '../testing/features/pictures.ts';
import { addMember, type TestMember } from '../testing/features/sessions.ts';
import { newDataDir, type Started, startServer } from '../testing/start.ts';

const publishedTable = pageSection('docs/security.md', 'load');

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
  'verification.send body.birthDate': 'a day: 10 characters',
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

const pageSizes = Object.values(pageSize);
/** Characters from which a text is long. */
const longText = 200;
const BodyField = z.looseObject({
  type: z.string().optional(),
  maxLength: z.number().optional(),
  anyOf: z.array(z.unknown()).default([]),
});
/** The rules of the fields of a body. */
const bodyFields = ({ body }: Call) => {
  if (body._zod.def.type === 'undefined') return [];
  const { properties } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  const fields = Object.values(properties ?? {}).map((field) => BodyField.parse(field));
  return fields.flatMap((field) => [field, ...field.anyOf.map((choice) => BodyField.parse(choice))]);
};

const queryFields = ({ query }: Call): string[] => {
  if (query._zod.def.type === 'undefined') return [];
  const { properties } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties ?? {});
};
const isGet = ({ method }: Call) => method === 'GET';
const passwords =
  /^(account\.(create|createEmailSession|updatePassword|updateEmail|updatePhone|confirmRecovery)|accounts\.(signUp|confirmPassword|claim)|personalData\.delete)$/;
const bytesReads =
  /^(storage\.(view|download)|verification\.picture|posts\.sharedPicture|publicLinks\.picture|personalData\.download)$/;
const messages = /magic-url|tokens\/(email|phone)|sessions\/phone|recovery|\/verification|resend/i;

const { running } = callsUnderWay.account;
const decimal = (number: number) => number.toLocaleString('en');
const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
const kibibytes = (bytes: number) => `${decimal(bytes / 1024)} KiB`;
const pixels = (number: number) => `${number / 1e6} million pixels`;
const atOnce = `${running} at once of an account, ${callsUnderWay.address.running} of an address; ${decimal(requestsPerMinute)} a minute of an account`;
const bodyLimits = `${kibibytes(bodyLimit)} of body, ${decimal(mostJsonValues)} values, ${mostLevels} levels`;
/** The time limits of the classes of work that calls are of. */
const statements = (calls: readonly { call: Call }[]) => {
  const works = new Set(calls.map(({ call }) => timeLimits[classifyWork(call)].statementTimeout / 1000));
  return `statements of ${[...works].toSorted((one, other) => one - other).join(', ')} s`;
};
const pictureTime = `${pictureBudget.accountCpuMs / 1000} s of CPU time of an account in ${pictureBudget.seconds / 60} minutes`;

interface Kind {
  name: string;
  has(name: string, call: Call): boolean;
  /** Who chooses how much work it is, and what. */
  chooses: string;
  /** The limits, from where the code has them. */
  limits: string;
}

/** Kinds of calls; each call is of the first that has it. What is new and of none fails. */
const kinds: readonly Kind[] = [
  {
    name: 'upload of a picture or file',
    has: (name) => name === 'files.create',
    chooses: 'the sender: bytes, pixels, pace, how many at once',
    limits: `${mebibytes(upload.images)}, ${pixels(maxPixels)}, ${pictureSeconds} s of CPU time, ${uploadPace.seconds} s of sending; ${uploadsPerMinute} a minute; ${uploadShares.account.running} at once of an account, ${uploadShares.address.running} of an address, ${uploadShares.concurrency} of all; ${pictureTime}`,
  },
  {
    name: 'preview of a picture',
    has: (name) => name === 'storage.preview',
    chooses: 'the reader: size, format, how many different ones',
    limits: `${pixels(mostPixels.jpeg)}, ${pixels(mostPixels.avif)} in slow formats; ${previewSeconds} s of CPU time; ${pictureTime}, with uploads`,
  },
  {
    name: 'stored bytes',
    has: (name) => bytesReads.test(name),
    chooses: 'the reader: which, how often; who stored them: how many',
    limits: `a picture has at most ${mebibytes(maxStoredBytes)}, an export what its member stored; ${atOnce}`,
  },
  {
    name: 'documents write',
    has: (name) => /^documents\.(create|update|delete)$/.test(name),
    chooses: 'the sender: the attributes of one document',
    limits: `${bodyLimits}; each attribute, and how many a minute, by its collection; ${atOnce}`,
  },
  {
    name: 'queries of documents and files',
    has: (name) => /^(documents\.(list|get)|storage\.list)$/.test(name),
    chooses: 'the reader: conditions, values, nesting, offset',
    limits: `${kibibytes(maxHeaderSize)} of header hold all; ${queryLimits.queries} queries of ${decimal(queryLimits.length)} characters, ${queryLimits.values} values each, ${queryLimits.depth} levels; ${pageLimits.most} documents, offset ${decimal(mostSkipped)}; ${atOnce}`,
  },
  {
    name: 'password',
    has: (name) => passwords.test(name),
    chooses: 'the caller: how often',
    limits: `one hash each; ${passwordShares.account.running} at once of an account or address, ${passwordShares.account.total} of an account wait, ${passwordShares.address.total} of an address; a wrong one doubles the wait`,
  },
  {
    name: 'mail and text message',
    has: (name, call) => !isGet(call) && /^account/.test(name) && messages.test(call.path),
    chooses: 'the caller: how often, to whom',
    limits:
      'one message each, to one receiver; by caller, receiver and address (`features/accounts/limits.ts`)',
  },
  {
    name: 'sign-in by code, link or provider',
    has: (name, { path }) =>
      /^(oauth2|accountTokens|secondFactor)\./.test(name) || /sessions\/(token|anonymous)/.test(path),
    chooses: 'the caller: how often',
    limits: 'one look-up each; tries by caller, secret and address (`features/accounts/limits.ts`)',
  },
  {
    name: 'search',
    has: (_name, call) => queryFields(call).includes('search'),
    chooses: 'the reader: words',
    limits: `${searchLength} characters; of the newest ${decimal(search.newestHits)} hits ${search.results} are shown; ${atOnce}`,
  },
  {
    name: 'list',
    has: (_name, call) => queryFields(call).includes('cursor'),
    chooses: 'nobody: the page has a fixed size',
    limits: `a page of ${Math.min(...pageSizes)} to ${Math.max(...pageSizes)}; ${atOnce}`,
  },
  {
    name: 'messages of a chat',
    has: (_name, call) => ['pages', 'before'].some((field) => queryFields(call).includes(field)),
    chooses: 'the reader: how many pages',
    limits: `${maxPagesPerCall} pages of ${pageSize.conversationMessages} or ${pageSize.receiptMessages}; ${atOnce}`,
  },
  {
    name: 'overview of an admin',
    has: (_name, call) => isGet(call) && call.access.startsWith('admin'),
    chooses: 'nobody: an admin reads',
    limits: `connections of their own; ${atOnce}`,
  },
  {
    name: 'one record by its id',
    has: (_name, call) => isGet(call) && call.path.includes('/:'),
    chooses: 'nobody: one record and what it names',
    limits: atOnce,
  },
  {
    name: 'own account, settings and totals',
    has: (_name, call) => isGet(call),
    chooses: 'nobody: what is kept of the caller',
    limits: atOnce,
  },
  {
    name: 'delivery of the payment provider',
    has: (name) => name === 'payments.webhook',
    chooses: 'who knows the address: bytes, how often',
    limits: `${kibibytes(deliveryLimitBytes)}; nothing is read before its signature is right; guests of an address share its calls of a minute`,
  },
  {
    name: 'export and deletion of one’s data',
    has: (name) => name.startsWith('personalData.'),
    chooses: 'the member: how often; what they stored',
    limits: 'one export at a time of a member, made by a job',
  },
  {
    name: 'write with a list',
    has: (_name, call) => bodyFields(call).some(({ type }) => type === 'array'),
    chooses: 'the sender: texts, how many pictures or permissions',
    limits: `each field by the contract; ${bodyLimits}; ${atOnce}`,
  },
  {
    name: 'write with a long text',
    has: (_name, call) => bodyFields(call).some(({ maxLength = 0 }) => maxLength >= longText),
    chooses: 'the sender: the text',
    limits: `each field by the contract; ${bodyLimits}; ${atOnce}`,
  },
  {
    name: 'write of ids and short fields',
    has: (_name, call) => !isGet(call) && bodyFields(call).length > 0,
    chooses: 'nobody: what it names is changed',
    limits: `each field by the contract; ${bodyLimits}; ${atOnce}`,
  },
  {
    name: 'write without fields',
    has: (_name, call) => !isGet(call),
    chooses: 'nobody: one record, or those of the caller, are changed',
    limits: atOnce,
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

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof newDataDir>>;
let server: Started;
let url: string;
let member: TestMember;

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), newDataDir()]);
  server = await startServer({ DATABASE_URL: database.url, DATA_DIR: folder.path }, ['--empty']);
  url = server.url ?? '';
  member = await addMember(database);
}, 240_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([database.drop(), folder.remove()]);
});

/** Sends a request as the member; resolves with its status. */
async function send(path: string, { method = 'GET', json }: { method?: string; json?: unknown } = {}) {
  const headers = { 'x-appwrite-session': member.secret, 'x-appwrite-project': 'tara' };
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  await reply.body?.cancel();
  return reply.status;
}

/** Uploads a PNG as the member. */
async function sendPicture(bytes: Buffer): Promise<{ status: number; id: string; message: string }> {
  const form = new FormData();
  form.append('fileId', 'unique()');
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'picture.png');
  const reply = await fetch(`${url}${imageFiles}`, {
    method: 'POST',
    headers: { 'x-appwrite-session': member.secret, 'x-appwrite-project': 'tara' },
    body: form,
  });
  const { $id: id, message } = Object(await reply.json());
  return { status: reply.status, id: String(id), message: String(message) };
}
const imageFiles = '/v1/storage/buckets/images/files';
const documentsOf = (collection: string) => `/v1/databases/tara/collections/${collection}/documents`;
const text = (length: number) =>
  'ab '
    .repeat(Math.ceil(length / 3))
    .slice(0, length - 1)
    .padEnd(length, 'c');

/** What was sent for real, by the row that shows it. */
const measured: Record<string, string> = {};

const countConditions = (query: Query): number =>
  'values' in query
    ? (query.values as unknown[]).reduce<number>(
        (sum, value) => sum + (isJson(value) ? countConditions(value as unknown as Query) : 1),
        1,
      )
    : 1;

/** Of everything with values and a method, the nested ones whose text costs the least. */
const nested = (count: number) => `or(${Array(count).fill('isNull("a")').join()})`;

it('the largest queries of a list that fit a header are a few thousand conditions', async () => {
  const ask = (queries: string[]) =>
    send(
      `${documentsOf('posts')}?${queries.map((query) => `queries[]=${encodeURIComponent(query)}`).join('&')}`,
    );
  const { values } = queryLimits;
  const largestText = `{"method":"equal","attribute":"$id","values":[${Array(values).fill('"a"').join()}]}`;
  const most = Array.from({ length: 16 }, () => largestText);
  const conditions = parseQueries(most).reduce((sum, query) => sum + countConditions(query), 0);
  measured['queries of documents and files'] = `${decimal(conditions)} conditions and values`;
  expect(conditions).toBeLessThanOrEqual(2_000);
  expect(await ask(most.slice(0, 8))).toBe(200);
  expect(await ask([...most, ...most])).toBe(431);
  expect(await ask([nested(values + 1)])).toBe(400);
});

it('the most that one member can subscribe to are the values of an account', async () => {
  const { values: accountValues = 0 } = shareLimits.account;
  const full = accountValues / mostValues;
  const filters = Array.from({ length: full + 1 }, (_, index) => ({
    subscriptionId: `s${index}`,
    channels: ['documents'],
    queries: [
      JSON.stringify({
        method: 'equal',
        attribute: 'tags',
        values: Array.from({ length: mostValues }, (_, value) => `${value}`),
      }),
    ],
  }));
  expect(filters.map(({ queries }) => readFilter(queries)?.values)).toEqual(Array(full + 1).fill(mostValues));
  const client = realtimeClient(url, member.secret);
  await client.next();
  client.say('subscribe', filters);
  expect(await client.next()).toMatchObject({ type: 'error', data: { code: 1013 } });
  client.say('subscribe', filters.slice(0, full));
  expect(await client.next()).toMatchObject({ type: 'response' });
  measured[subscriptionRow] = `${accountValues} values`;
  client.socket.terminate();
});

/** Calls of a kind that a member makes without naming a record. */
const callsOf = (kind: string) =>
  everyCall.filter(
    (one) =>
      kindOf(one)?.name === kind && !one.call.path.includes('/:') && !one.call.access.startsWith('admin'),
  );

it('no list does more for the longest cursor than refuse it', async () => {
  for (const { name, call } of callsOf('list')) {
    const field = z.toJSONSchema(call.query, { io: 'input', unrepresentable: 'any' }).properties?.cursor;
    const length = BodyField.parse(field).maxLength ?? 0;
    expect(await send(`${call.path}?cursor=${'a'.repeat(length)}`), name).toBe(400);
    expect(await send(`${call.path}?cursor=${'a'.repeat(length + 1)}`), name).toBe(400);
    expect(await send(call.path), name).toBe(200);
    measured.list = `a cursor of ${length} characters: refused`;
  }
});

it('no search takes more than its length', async () => {
  const words = text(searchLength);
  for (const { name, call } of callsOf('search')) {
    expect(await send(`${call.path}?search=${encodeURIComponent(words)}`), name).toBe(200);
    expect(await send(`${call.path}?search=${encodeURIComponent(`${words}d`)}`), name).toBe(400);
  }
  const filter = (value: string) =>
    JSON.stringify({ method: 'search', attribute: 'caption', values: [value] });
  const path = `${documentsOf('posts')}?queries[]=`;
  expect(await send(`${path}${encodeURIComponent(filter(text(queryLimits.length - 100)))}`)).toBe(200);
  measured.search = `${words.split(' ').length} words of ${searchLength} characters`;
});

it('no upload is read beyond its bytes, and no picture decoded beyond its pixels', async () => {
  const picture = await pictureBytes({ format: 'png' });
  // The header alone is a stand-in for the pixels: they are refused before they are decoded.
  const side = Math.ceil(Math.sqrt(maxPixels)) + 1;
  const claims = Buffer.from(picture);
  claims.writeUInt32BE(side, 16);
  claims.writeUInt32BE(side, 20);
  claims.writeUInt32BE(crc32(claims.subarray(12, 29)), 29);
  expect(await sendPicture(claims)).toMatchObject({
    status: 403,
    message: expect.stringContaining('too many pixels'),
  });
  expect((await sendPicture(Buffer.concat([picture, Buffer.alloc(upload.images)]))).status).toBe(400);
  const full = Buffer.concat([picture, Buffer.alloc(upload.images - picture.length)]);
  expect([201, 400]).toContain((await sendPicture(full)).status);
  measured['upload of a picture or file'] = `${mebibytes(full.length)}, or a header of ${pixels(maxPixels)}`;
});

it('no preview has more pixels than its format may', async () => {
  const { status, id } = await sendPicture(await pictureBytes({ format: 'png' }));
  expect(status).toBe(201);
  const preview = (side: number, output: string) =>
    send(`${imageFiles}/${id}/preview?width=${side}&height=${side}&output=${output}`);
  const side = Math.floor(Math.sqrt(mostPixels.avif));
  expect(await preview(side, 'jpg')).toBe(200);
  expect(await preview(side + 1, 'avif')).toBe(400);
  const border = '&borderWidth=100&rotation=45';
  expect(await send(`${imageFiles}/${id}/preview?width=4000&height=4000&output=jpg${border}`)).toBe(400);
  measured['preview of a picture'] = `${decimal(side)} × ${decimal(side)} px`;
});

it('no mail goes to more than one address, of limited length', async () => {
  const path = '/v1/account/sessions/magic-url';
  const call = everyCall.find(({ name }) => name === 'account.createMagicUrl')?.call;
  if (call === undefined) throw new Error('There is no such call.');
  const { properties = {} } = z.toJSONSchema(call.body, { io: 'input', unrepresentable: 'any' });
  const [most = 0, urlLength = 0] = ['email', 'url'].map(
    (name) => BodyField.parse(properties[name]).maxLength,
  );
  const labels = `@${'d'.repeat(60)}.${'e'.repeat(60)}.ph`;
  const email = (length: number) => `${'a'.repeat(Math.min(64, length - labels.length))}${labels}`;
  const ask = (address: string, length: number) =>
    send(path, {
      method: 'POST',
      json: { userId: 'unique()', email: address, url: `${url}/confirming?x=`.padEnd(length, 'u') },
    });
  expect([200, 201]).toContain(await ask(email(most), urlLength));
  expect(await ask(email(most), urlLength + 1)).toBe(400);
  expect(await ask(`a@example.com,b@example.com`, urlLength)).toBe(400);
  expect(await ask(`${'a'.repeat(most)}@example.com`, urlLength)).toBe(400);
  measured['mail and text message'] =
    `one address of ${email(most).length} characters, a link of ${decimal(urlLength)}`;
});

it('no document holds more than its attributes may', async () => {
  const create = (data: unknown) =>
    send(documentsOf('posts'), { method: 'POST', json: { documentId: 'unique()', data } });
  const data = { caption: text(captionLength), location: text(locationLength), tags: text(tagsLength) };
  expect(await create(data)).toBe(201);
  for (const name of ['caption', 'location', 'tags'] as const)
    expect(await create({ ...data, [name]: `${data[name]}d` }), name).toBe(400);
  expect(await create({ caption: 'a'.repeat(bodyLimit) })).toBe(413);
  const characters = Object.values(data).reduce((sum, { length }) => sum + length, 0);
  measured['documents write'] = `a post of ${decimal(characters)} characters`;
});

const subscriptionRow = 'subscription';

/** Routes that no call of the contract names. */
const otherRoutes: readonly Omit<Kind, 'has'>[] = [
  {
    name: subscriptionRow,
    chooses: 'the listener: sockets, channels, queries, values',
    limits: `${shareLimits.account.members} sockets × ${mostSubscriptions} subscriptions × ${mostValues} values, but ${shareLimits.account.values} values and ${kibibytes(shareLimits.account.textLength ?? 0)} of an account, ${decimal(shareLimits.address.values ?? 0)} values of an address; ${decimal(shareLimits.account.comparisons ?? 0)} comparisons an event (decision 0111)`,
  },
  {
    name: 'socket',
    chooses: 'the listener: messages, their size, how many sockets',
    limits: `frames of ${kibibytes(frameLimit)}; ${perMinute.socket} messages a minute of a socket, ${decimal(perMinute.client)} of an account; ${mostChannels} channels of a socket; ${shareLimits.account.members} sockets of an account, ${shareLimits.address.guests} of guests of an address`,
  },
  {
    name: 'avatar: a picture of initials',
    chooses: 'the reader: the name, size and colour',
    limits: `a name of ${BodyField.parse(z.toJSONSchema(initials.query, { io: 'input' }).properties?.name).maxLength} characters, two letters are drawn; ${decimal(largestSide)} × ${decimal(largestSide)} px, on the CPU time of pictures; ${decimal(requestsPerMinute)} a minute of an account`,
  },
  {
    name: 'public pages and files of the web',
    chooses: 'nobody: pages and files are made at the start',
    limits: `${kibibytes(maxHeaderSize)} of header; ${decimal(requestsPerMinute)} a minute of an account`,
  },
];

it('no name of an avatar and no address of a page is longer than may be', async () => {
  const avatar = (length: number, side = largestSide) =>
    send(`${initials.path}?name=${'a'.repeat(length)}&width=${side}&height=${side}`);
  const length = BodyField.parse(z.toJSONSchema(initials.query, { io: 'input' }).properties?.name).maxLength;
  expect(await avatar(length ?? 0)).toBe(200);
  expect(await avatar((length ?? 0) + 1)).toBe(400);
  expect(await avatar(1, largestSide + 1)).toBe(400);
  measured['avatar: a picture of initials'] =
    `a name of ${length} characters, ${decimal(largestSide)} × ${decimal(largestSide)} px`;
  expect(await send(`/about?${'a'.repeat(maxHeaderSize)}`)).toBe(431);
  measured['public pages and files of the web'] = `an address of ${kibibytes(maxHeaderSize)}: refused`;
});

it('no delivery is read that is larger than one may be', async () => {
  const deliver = async (size: number) => {
    const reply = await fetch(`${url}/api/payment/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'a'.repeat(size),
    });
    await reply.body?.cancel();
    return reply.status;
  };
  expect(await deliver(deliveryLimitBytes)).toBeGreaterThanOrEqual(400);
  expect(await deliver(deliveryLimitBytes)).toBeLessThan(413);
  expect(await deliver(deliveryLimitBytes + 1)).toBe(413);
  measured['delivery of the payment provider'] =
    `${kibibytes(deliveryLimitBytes)} without a signature: refused`;
});

it('no frame of a socket is larger than one may be', async () => {
  const client = realtimeClient(url, member.secret);
  await client.next();
  client.socket.send('a'.repeat(frameLimit));
  expect(await client.next()).toMatchObject({ type: 'error', data: { code: 1003 } });
  client.socket.send('a'.repeat(frameLimit + 1));
  expect(await client.closed).toBe(1009);
  measured.socket = `a frame of ${kibibytes(frameLimit)}`;
});

function makeTable(): string {
  const rows = kinds.map(({ name, chooses, limits }) => {
    const calls = everyCall.filter((one) => kindOf(one)?.name === name);
    const sizes = calls.map((one) => ({ ...one, ...sizeOf(one, []) }));
    const top = sizes.toSorted((one, other) => other.characters - one.characters)[0];
    const largestInput =
      top === undefined ? '-' : `\`${top.name}\`: ${top.characters} characters, ${top.values} values`;
    const sent = measured[name] === undefined ? '' : `sent: ${measured[name]}; by the contract `;
    return [name, chooses, `${limits}; ${statements(calls)}`, `${sent}${largestInput}`];
  });
  const others = otherRoutes.map(({ name, chooses, limits }) => [
    ...[name, chooses, limits],
    `sent: ${measured[name]}`,
  ]);
  const head = [...['Input', 'Who chooses the amount of work', 'Limits, and their product', 'Largest input']];
  return markdownTable(head, [...rows, ...others]);
}

it('every call has a row, and the table of docs/security.md shows all of them', async () => {
  expect(everyCall.filter((one) => kindOf(one) === undefined)).toEqual([]);
  for (const { name } of kinds)
    expect(
      everyCall.some((one) => kindOf(one)?.name === name),
      name,
    ).toBe(true);
  const table = makeTable();
  if (process.env.WRITE_MATRIX === '1') await publishedTable.write(table);
  else expect(await publishedTable.read()).toBe(table);
});
