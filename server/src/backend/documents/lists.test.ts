import { collectionIds } from '@tara/contract/wire/documents';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { posts } from '../../features/posts/index.ts';
import { friends } from '../../features/profiles/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, sdks } from '../../testing/backend/documents.ts';
import { addMember, type TestMember } from '../../testing/features/sessions.ts';

const path = '/v1/databases/tara/collections/posts/documents';

/** Raw requests, as no SDK sends them. */
const test = documentsTest()
  .extend(
    'ask',
    { scope: 'file' },
    ({ backend, ana }) =>
      async (url: string, { who = ana, ...init }: RequestInit & { who?: TestMember | null } = {}) => {
        const reply = await fetch(`${backend.url}${url}`, {
          ...init,
          headers: { ...(who ? { 'x-appwrite-session': who.secret } : {}), ...init.headers },
        });
        const body = await reply.text();
        return { ...(body === '' ? {} : JSON.parse(body)), status: reply.status };
      },
  )
  .extend('list', { scope: 'file' }, ({ ask }) => (queries: unknown[], collection = 'posts') => {
    const sent = queries.map((query, index) => [
      `queries[${index}]`,
      typeof query === 'string' ? query : JSON.stringify(query),
    ]);
    return ask(
      `/v1/databases/tara/collections/${collection}/documents?${new URLSearchParams(sent as string[][])}`,
    );
  })
  .extend('postIds', { scope: 'file' }, async ({ database, ana, ben }) => {
    const ids = Array.from({ length: 30 }, () => newId()).sort();
    await database.insert(posts).values(
      ids.map((id, index) => ({
        ...{ id, creatorId: index % 3 === 0 ? ben.profileId : ana.profileId, usedDp: true },
        // Pairs have the same time.
        updatedAt: new Date(Date.UTC(2024, 0, 1, 0, Math.floor(index / 2))),
      })),
    );
    return ids;
  });

const filter = (method: string, attribute: string, ...values: unknown[]) => ({ method, attribute, values });
const nested = (depth: number): object =>
  depth === 0
    ? filter('isNotNull', '$id')
    : { method: 'or', values: [nested(depth - 1), filter('isNull', '$id')] };

test.for([
  ['101 queries', Array.from({ length: 101 }, () => filter('isNotNull', '$id')), 'general_argument_invalid'],
  ['a long query', [filter('equal', 'creatorId', 'x'.repeat(5000))], 'general_argument_invalid'],
  ['and, or nested deeply', [nested(50)], 'general_query_invalid'],
  ['an unknown attribute', [filter('equal', 'password', 'x')], 'general_query_invalid'],
  ['an attribute of every object', [filter('equal', '__proto__', 'x')], 'general_query_invalid'],
  ['an attribute without an index', [filter('equal', 'location', 'Cebu')], 'general_query_invalid'],
  ['an order without an index', [{ method: 'orderAsc', attribute: 'caption' }], 'general_query_invalid'],
  ['a comparison where only a search is', [filter('equal', 'caption', 'x')], 'general_query_invalid'],
  ['an order that may be null', [{ method: 'orderAsc', attribute: 'imageId' }], 'general_query_invalid'],
  ['a search where none is', [filter('search', 'creatorId', 'x')], 'general_query_invalid'],
  ['a search for what cannot be stored', [filter('search', 'caption', 'a\0b')], 'general_query_invalid'],
  ['a value of what is never null', [filter('equal', 'imageUrl', 'x')], 'general_query_invalid'],
  ['a list compared as a text', [filter('equal', 'tags', 'x')], 'general_query_invalid'],
  ['a part of a time', [filter('contains', '$createdAt', '2024-01-01')], 'general_query_invalid'],
  ['a beginning of a time', [filter('startsWith', '$createdAt', '2024-01-01')], 'general_query_invalid'],
  ['a number for text', [filter('equal', 'creatorId', 5)], 'general_query_invalid'],
  ['text for a time', [filter('greaterThan', '$createdAt', 'soon')], 'general_query_invalid'],
  ['text that cannot be stored', [filter('equal', '$id', 'a\0b')], 'general_query_invalid'],
  [
    'a year that Postgres does not know',
    [filter('lessThan', '$createdAt', '-271821-04-20')],
    'general_query_invalid',
  ],
  ['a large offset', [{ method: 'offset', values: [10_001] }], 'general_query_invalid'],
  ['a limit of none', [{ method: 'limit', values: [0] }], 'general_query_invalid'],
  ['a forged cursor', [{ method: 'cursorAfter', values: ["' or 1=1 --"] }], 'general_cursor_not_found'],
  ['two cursors', ['cursorAfter("a")', 'cursorBefore("b")'], 'general_query_invalid'],
  ['no query', ['hello'], 'general_query_invalid'],
  ['SQL for a method', [filter('is null; drop table posts', '$id')], 'general_query_invalid'],
] as const)('refuses %s', async ([_name, queries, type], { list }) => {
  expect(await list([...queries])).toMatchObject({
    status: 400,
    code: 400,
    type,
    message: expect.any(String),
  });
});

test('refuses text for what is true or false', async ({ list }) => {
  expect(await list([filter('equal', 'paid', 'yes')], 'planInteractions')).toMatchObject({
    ...{ status: 400, type: 'general_query_invalid' },
    message: expect.stringContaining('paid'),
  });
});

test('a list has 25 documents where none are asked for and 100 at most, skips 10,000 and counts 5,000 at most', async ({
  list,
  database,
}) => {
  const { profileId } = await addMember({ database });
  const values = Array.from({ length: 5_001 }, () => ({ id: newId(), creatorId: profileId, usedDp: true }));
  await database.insert(posts).values(values);
  const page = async (...queries: string[]) => {
    const { documents, total } = await list([filter('equal', 'creatorId', profileId), ...queries]);
    return [documents.length, total];
  };
  expect(await page()).toEqual([25, 5_000]);
  expect(await page('limit(100)')).toEqual([100, 5_000]);
  expect(await page('limit(101)')).toEqual([100, 5_000]);
  expect(await page('offset(10000)')).toEqual([0, 5_000]);
  await database.delete(posts).where(eq(posts.creatorId, profileId));
});

test('goes through a list in every order by the last $id as cursor without a gap, also among equal times (§3-documents-cursor)', async ({
  list,
  postIds,
  ana,
}) => {
  for (const orders of [
    [{ method: 'orderDesc', attribute: '$updatedAt' }],
    [{ method: 'orderAsc', attribute: '$updatedAt' }],
    [
      { method: 'orderAsc', attribute: 'creatorId' },
      { method: 'orderDesc', attribute: '$updatedAt' },
    ],
    [],
  ]) {
    const queries = [...orders, filter('lessThan', '$updatedAt', '2024-02-01T00:00:00.000+00:00')];
    const whole = await list([...queries, 'limit(100)']);
    const all = whole.documents.map(({ $id }: { $id: string }) => $id);
    expect(all.toSorted()).toEqual(postIds);
    const paged: string[] = [];
    for (let last: string | undefined; ; last = paged.at(-1)) {
      const page = await list([
        ...queries,
        'limit(7)',
        ...(last === undefined ? [] : [`cursorAfter("${last}")`]),
      ]);
      expect(page.total).toBe(30);
      if (page.documents.length === 0) break;
      paged.push(...page.documents.map(({ $id }: { $id: string }) => $id));
    }
    expect(paged).toEqual(all);
    const before = await list([...queries, 'limit(7)', `cursorBefore("${all[20]}")`]);
    expect(before.documents.map(({ $id }: { $id: string }) => $id)).toEqual(all.slice(13, 20));
    const skipped = await list([...queries, 'limit(7)', 'offset(28)']);
    expect(skipped.documents.map(({ $id }: { $id: string }) => $id)).toEqual(all.slice(28));
  }
  const either = {
    method: 'or',
    values: [filter('equal', '$id', postIds[0]), filter('equal', '$id', postIds[5])],
  };
  expect(await list([either])).toMatchObject({ total: 2 });
  const mine = [
    filter('equal', 'creator', ana.profileId),
    filter('startsWith', '$id', postIds[1]?.slice(0, 5)),
  ];
  expect(await list(mine)).toMatchObject({ total: 1 });
  expect(
    await list([filter('notEqual', 'creatorId', ana.profileId), filter('contains', '$id', postIds[0])]),
  ).toMatchObject({ total: 1, documents: [{ $id: postIds[0] }] });
});

test('counts again once a post is created or removed', async ({ backend, ana, ask, postIds: _ }) => {
  const [, openSdk] = sdks[1];
  const sdk = openSdk(backend.url, ana);
  await sdk.create('posts', 'unique()', { caption: 'Announced' });
  const { total } = await sdk.list('posts', [sdk.query.limit(1)]);
  const { $id } = await sdk.create('posts', 'mine.1', { caption: 'One more' });
  expect($id).toBe('mine.1');
  expect((await sdk.list('posts', [sdk.query.limit(1)])).total).toBe(total + 1);
  await expect(sdk.create('posts', 'mine.1', { caption: 'Again' })).rejects.toMatchObject({
    type: 'document_already_exists',
  });
  await sdk.delete('posts', $id);
  expect((await sdk.list('posts', [sdk.query.limit(1)])).total).toBe(total);
  expect(await ask(`${path}?total=false`)).toMatchObject({ status: 200, total: 0 });
});

test('answers in the words of the wire what is wrong with a request', async ({ ask, postIds: _ }) => {
  const json = { 'content-type': 'application/json' };
  const post = (body: unknown, headers: Record<string, string> = json) =>
    ask(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
  const of = (status: number, type: string) => ({ status, code: status, type });
  expect(await ask(path, { who: null })).toMatchObject(of(401, 'general_unauthorized_scope'));
  expect(await ask('/v1/databases/other/collections/posts/documents')).toMatchObject(
    of(404, 'database_not_found'),
  );
  expect(await ask('/v1/databases/tara/collections/constructor/documents')).toMatchObject(
    of(404, 'collection_not_found'),
  );
  expect(await ask(`${path}/${'x'.repeat(50)}`)).toMatchObject(of(404, 'document_not_found'));
  expect(await post({ documentId: 'unique()' })).toMatchObject(of(400, 'document_missing_data'));
  expect(await post({ documentId: '_x', data: { caption: 'Hi' } })).toMatchObject(
    of(400, 'general_argument_invalid'),
  );
  for (const permission of ['read(any)', 'own("any")', 'read("nobody")', 'read("any"); drop'])
    expect(
      await post({ documentId: 'unique()', data: { caption: 'Hi' }, permissions: [permission] }),
    ).toMatchObject(of(400, 'general_argument_invalid'));
  expect(await post('caption=Hi', { 'content-type': 'text/plain' })).toMatchObject(
    of(400, 'general_argument_invalid'),
  );
  let deep: object = {};
  for (let depth = 0; depth < 1000; depth++) deep = { deep };
  expect(await post({ documentId: 'unique()', data: deep })).toMatchObject(
    of(400, 'general_argument_invalid'),
  );
  const large = JSON.stringify({ documentId: 'unique()', data: { caption: 'x'.repeat(10_000_000) } });
  expect(await post(large)).toMatchObject(of(413, 'general_body_too_large'));
});

test('records are read by members and changed by their creator, whatever permissions are sent (§6-records, §6-records-creator)', async ({
  ask,
  ana,
  ben,
  database,
  postIds: [id = ''],
}) => {
  const json = { 'content-type': 'application/json' };
  const change = (who: TestMember, body: object) =>
    ask(`${path}/${id}`, { who, method: 'PATCH', headers: json, body: JSON.stringify(body) });
  const denied = { status: 401, type: 'user_unauthorized' };
  // The first of them is Ben's.
  const permissions = ['read("any")', 'write("any")'];
  const opened = await change(ben, {
    data: { $id: 'other', $permissions: permissions, caption: 'Ben' },
    permissions,
  });
  expect(opened).toMatchObject({
    ...{ status: 200, $id: id, caption: 'Ben' },
    $permissions: [
      'read("users/verified")',
      `update("user:${ben.accountId}")`,
      `delete("user:${ben.accountId}")`,
    ],
  });
  expect(await ask(`${path}/${id}`)).toMatchObject({ status: 200, caption: 'Ben' });
  expect(await ask(`${path}/${id}`, { who: null })).toMatchObject({ status: 401 });
  for (const body of [{ data: { caption: 'Ana' } }, { permissions }, { data: {}, permissions }])
    expect(await change(ana, body)).toMatchObject(denied);
  expect(await ask(`${path}/${id}`, { method: 'DELETE' })).toMatchObject(denied);
  const friend = { ownerId: ben.profileId, friendId: ana.profileId };
  await database.insert(friends).values(friend).onConflictDoNothing();
  const friendLists = '/v1/databases/tara/collections/friendLists/documents';
  expect(await ask(friendLists, { who: ben })).toMatchObject({
    total: 1,
    documents: [{ $id: expect.any(String) }],
  });
  const own = await ask(friendLists);
  for (const { $permissions } of own.documents)
    expect($permissions.every((one: string) => one.includes(`user:${ana.accountId}`))).toBe(true);
  const others = await ask(`${friendLists}/${ben.profileId}`);
  expect(others).toMatchObject({ status: 404, type: 'document_not_found' });
});

test('lists every collection; documents carry $id (§3-collections, §3-documents-id)', async ({
  list,
  postIds: _,
}) => {
  expect(collectionIds).toHaveLength(16);
  for (const collection of collectionIds) {
    const { status, total, documents } = await list(['limit(2)'], collection);
    expect([collection, status, total >= documents.length]).toEqual([collection, 200, true]);
    for (const document of documents)
      expect(document).toMatchObject({ $collectionId: collection, $id: expect.any(String) });
  }
});

test.for(collectionIds)(
  'a new document of %s is nobody else’s',
  async (collection, { ask, ben, database }) => {
    const before = await database.$count(posts);
    const foreign = { userId: ben.profileId, accountId: ben.accountId, creatorId: ben.profileId };
    const system = {
      $id: 'chosen',
      $createdAt: '2001-01-01T00:00:00.000+00:00',
      $permissions: ['write("any")'],
    };
    for (const [name, value] of Object.entries(foreign)) {
      const answer = await ask(`/v1/databases/tara/collections/${collection}/documents`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ documentId: 'unique()', data: { ...system, [name]: value } }),
      });
      expect([
        ['document_invalid_structure', 400],
        ['user_unauthorized', 401],
      ]).toContainEqual([answer.type, answer.status]);
      if (answer.status === 400)
        expect(answer.message).toContain(`${name}: is not an attribute that you may set`);
    }
    expect(await database.$count(posts)).toBe(before);
  },
);
