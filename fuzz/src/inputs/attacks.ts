import type { ProblemType } from '@tara/contract/problems';
import type { HttpInput } from './input.ts';

/** An input against the backend service whose answer is known. */
export interface Attack {
  input: HttpInput;
  /** Types of error that it may be answered with; null for success. */
  expected: readonly (ProblemType | null)[];
}

type Query = readonly (readonly [string, string])[];

interface Request {
  method?: string;
  path?: string;
  query?: Query;
  headers?: Record<string, string>;
  /** Text or bytes; anything else is sent as JSON. */
  body?: unknown;
}

const posts = '/v1/databases/tara/collections/posts/documents';
const images = '/v1/storage/buckets/images/files';
const json = { 'content-type': 'application/json' };
const manyBytes = 10 * 1024 * 1024;

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index));
const queries = (...texts: string[]): Query =>
  texts.map((text, index) => [`queries%5B${index}%5D`, encodeURIComponent(text)] as const);
const filter = (method: string, attribute: string, values: unknown[]) =>
  JSON.stringify({ method, attribute, values });
const nested = (depth: number, open: string, middle: string, close: string) =>
  open.repeat(depth) + middle + close.repeat(depth);

function attack(call: string, what: string, expected: Attack['expected'], request: Request): Attack {
  const { method = 'GET', path = posts, query = [], headers = {}, body } = request;
  const bytes =
    body instanceof Buffer ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
  const note = bytes.subarray(0, 200).toString('latin1');
  const sent = body === undefined ? null : ({ kind: 'bytes', bytes, note } as const);
  const input = {
    kind: 'http',
    call,
    actor: 'member',
    what,
    method,
    path,
    query,
    headers,
    body: sent,
  } as const;
  return { input, expected };
}

const list = (what: string, expected: Attack['expected'], ...texts: string[]) =>
  attack('documents.list', what, expected, { query: queries(...texts) });

const badQuery = ['general_query_invalid'] as const;
const badValue = ['general_argument_invalid'] as const;

/** Queries that cost much, that are no queries, and cursors that nobody was given. */
const queryAttacks: Attack[] = [
  list(
    '100 searches',
    [null, 'database_timeout', ...badQuery],
    ...repeat(100, (at) => filter('search', 'caption', [`kape ${at}`])),
  ),
  list(
    'a search of 3,900 characters',
    [null, 'database_timeout', ...badQuery],
    filter('search', 'caption', ['a b '.repeat(975)]),
  ),
  list('101 queries', badValue, ...repeat(101, () => 'limit(1)')),
  list('a query of 5,000 characters', badValue, filter('equal', 'creatorId', ['a'.repeat(5_000)])),
  list('101 values', badQuery, filter('equal', '$id', repeat(101, String))),
  list(
    'or 60 deep',
    badQuery,
    nested(60, '{"method":"or","values":[', '{"method":"isNull","attribute":"$id"}', ']}'),
  ),
  list(
    'lists 2,000 deep',
    badQuery,
    `{"method":"equal","attribute":"$id","values":${nested(1_900, '[', '', ']')}}`,
  ),
  list('lists 2,000 deep in the older syntax', badQuery, `equal("$id", ${nested(1_900, '[', '', ']')})`),
  list('an open quote in the older syntax', badQuery, 'equal("$id", ["a'),
  list('backslashes in the older syntax', badQuery, `equal("$id", ["${'\\'.repeat(3_999)}`),
  list('commas in the older syntax', badQuery, `equal("$id", [${','.repeat(3_900)}])`),
  list('an attribute that is none', badQuery, filter('equal', 'nothing', ['x'])),
  list('an attribute of every object', badQuery, filter('equal', '__proto__', ['x'])),
  list('a method of every object', badQuery, filter('constructor', '$id', ['x'])),
  list('an attribute without an index', badQuery, filter('equal', 'location', ['x'])),
  list('SQL as attribute', badQuery, filter('equal', '$id" = $id; drop table posts; --', ['x'])),
  list('a number where a text belongs', badQuery, filter('equal', '$createdAt', [1])),
  list('an offset beyond every list', badQuery, 'offset(999999999)'),
  list('a limit below one', badQuery, 'limit(0)'),
  list('two cursors', badQuery, 'cursorAfter("a")', 'cursorBefore("b")'),
  list('a forged cursor', ['general_cursor_not_found'], 'cursorAfter("forged")'),
  list(
    'SQL as cursor',
    ['general_cursor_not_found', ...badQuery],
    filter('cursorAfter', '', ["' or true --"]),
  ),
  list('an object as cursor', badQuery, '{"method":"cursorAfter","values":[{"$id":"a"}]}'),
  list('a cursor of 4,000 characters', badQuery, `cursorAfter("${'a'.repeat(4_000)}")`),
  list('bytes that are no text', [null, ...badQuery, ...badValue], '\u0000\u0001'),
  attack('documents.list', 'queries as an object', badValue, { query: [['queries%5Bmethod%5D', 'limit']] }),
];

const create = (
  what: string,
  expected: Attack['expected'],
  body: unknown,
  headers: Record<string, string> = json,
) => attack('documents.create', what, expected, { method: 'POST', headers, body });
const data = (attributes: object) => ({ documentId: 'unique()', data: attributes });
const manyKeys = Object.fromEntries(repeat(20_000, (at) => `k${at}`).map((key) => [key, 0]));

/** Bodies that are too much, too deep, of another kind, or that name what is not the caller's. */
const bodyAttacks: Attack[] = [
  create('10 MB of JSON', ['general_body_too_large'], data({ caption: 'a'.repeat(manyBytes) })),
  create('1,000 objects in each other', badValue, nested(1_000, '{"data":', '1', '}')),
  create(
    '20,000 attributes',
    [...badValue, 'document_invalid_structure', 'general_body_too_large'],
    data(manyKeys),
  ),
  create('an unknown attribute', ['document_invalid_structure'], data({ caption: 'a', nothing: 1 })),
  create(
    'an attribute of every object',
    [...badValue, 'document_invalid_structure'],
    '{"documentId":"unique()","data":{"caption":"a","__proto__":{"admin":true}}}',
  ),
  create('another creator', ['document_invalid_structure'], data({ caption: 'a', creatorId: 'another' })),
  create('a total of likes', ['document_invalid_structure'], data({ caption: 'a', totalLikes: 99 })),
  create('a caption that is an object', ['document_invalid_structure'], data({ caption: { $ne: null } })),
  create('a permission that is none', badValue, { ...data({ caption: 'a' }), permissions: ['read(any)'] }),
  create('an id of 200 characters', badValue, { documentId: 'a'.repeat(200), data: { caption: 'a' } }),
  create('a list as body', badValue, '[]'),
  create('JSON that is cut off', badValue, '{"documentId":"unique()","data":{"cap'),
  create(
    'bytes that are no UTF-8',
    [...badValue, 'document_invalid_structure', null],
    Buffer.from('{"data":{"caption":"\xff\xfe"}}', 'latin1'),
  ),
  create('JSON as text', badValue, data({ caption: 'a' }), { 'content-type': 'text/plain' }),
  create('XML', badValue, '<data/>', { 'content-type': 'application/xml' }),
  create('a form', badValue, 'documentId=a&data=b', { 'content-type': 'application/x-www-form-urlencoded' }),
  create('multipart without parts', badValue, '--', { 'content-type': 'multipart/form-data; boundary=x' }),
  create('no content type', badValue, data({ caption: 'a' }), {}),
  attack('account.updatePrefs', '10 MB of preferences', ['general_body_too_large'], {
    ...{ method: 'PATCH', path: '/v1/account/prefs', headers: json },
    body: { prefs: { text: 'a'.repeat(manyBytes) } },
  }),
  attack('account.updatePrefs', 'preferences 1,000 deep', badValue, {
    ...{ method: 'PATCH', path: '/v1/account/prefs', headers: json },
    body: `{"prefs":${nested(1_000, '{"a":', '1', '}')}}`,
  }),
  attack('files.create', 'JSON in place of a file', ['storage_file_empty'], {
    ...{ method: 'POST', path: images, headers: json },
    body: { fileId: 'unique()' },
  }),
  attack('files.create', 'multipart without a boundary', badValue, {
    ...{ method: 'POST', path: images, headers: { 'content-type': 'multipart/form-data' } },
    body: 'a',
  }),
];

const boundary = 'attack';
const form = Buffer.from(
  `--${boundary}\r\ncontent-disposition: form-data; name="fileId"\r\n\r\nunique()\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n` +
    `content-type: image/jpeg\r\n\r\nabc\r\n--${boundary}--\r\n`,
);
const upload = (what: string, expected: Attack['expected'], headers: Record<string, string>) =>
  attack('files.create', what, expected, {
    ...{ method: 'POST', path: images, body: form },
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
  });

/** Parts of uploads that cannot be. */
const partAttacks: Attack[] = [
  upload('a part that ends before it begins', ['storage_invalid_content_range'], {
    'content-range': 'bytes 9-1/12000000',
  }),
  upload('a part behind the end', ['storage_invalid_content_range'], {
    'content-range': 'bytes 12000000-17242879/12000000',
  }),
  upload('a part of 100 GB', ['storage_invalid_file_size', 'storage_invalid_content_range'], {
    'content-range': 'bytes 0-5242879/99999999999',
  }),
  upload('a part smaller than it says', ['storage_invalid_content_range'], {
    'content-range': 'bytes 0-5242879/12000000',
  }),
  upload('a range of words', ['storage_invalid_content_range'], { 'content-range': 'bytes a-b/c' }),
  upload(
    'an id of an upload that is none',
    ['storage_invalid_appwrite_id', 'storage_invalid_content_range'],
    {
      'content-range': 'bytes 5242880-10485759/12000000',
      'x-appwrite-id': '../../etc/passwd',
    },
  ),
];

/** What no call is about. */
const otherAttacks: Attack[] = [
  attack('documents.get', 'another database', ['database_not_found'], {
    path: `${posts.replace('tara', 'other')}/a`,
  }),
  attack('documents.get', 'a collection of every object', ['collection_not_found'], {
    path: `${posts.replace('posts', '__proto__')}/a`,
  }),
  attack('documents.get', 'another project', ['project_not_found'], {
    path: `${posts}/a`,
    headers: { 'x-appwrite-project': 'other' },
  }),
  attack('documents.create', 'a page of another site', ['general_unknown_origin'], {
    method: 'POST',
    headers: { ...json, origin: 'http://evil.example' },
    body: data({ caption: 'a' }),
  }),
  attack('documents.get', 'a call that is not served', ['general_route_not_found'], {
    path: '/v1/tablesdb/tara/tables/posts/rows',
  }),
  attack('account.get', 'a token that is none', ['user_jwt_invalid'], {
    path: '/v1/account',
    headers: { 'x-appwrite-jwt': 'a.b.c' },
  }),
];

/** Inputs against the backend service with the error that each has to be answered with. */
export const attacks: readonly Attack[] = [...queryAttacks, ...bodyAttacks, ...partAttacks, ...otherAttacks];
