import { nowDate } from '@tara/contract/clock';
import { storage } from '@tara/contract/wire/storage';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { files as rows } from '../../features/files/index.ts';
import { ownFileId } from '../../features/files/read.ts';
import { newId } from '../../platform/ids.ts';
import { test as base } from '../../testing/backend/storage.ts';
import type { Member } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';

const test = base.extend(
  'list',
  { scope: 'file' },
  ({ server }) =>
    (who: Member, query: Record<string, unknown> = {}, bucketId: 'images' | 'messageFiles' = 'images') =>
      server.call(who, storage.list, { params: { bucketId }, query: query as never }),
);
const namesIn = ({ files }: { files: { name: string }[] }) => files.map(({ name }) => name);

test('a member lists their own files, by queries of either syntax and by words (§7-files-list)', async ({
  database,
  server,
  ana,
  ben,
  list,
}) => {
  const chosenId = `mine-${newId().slice(0, 8)}`;
  for (const [index, name] of ['Beach.png', 'Boat.jpg', 'Cave.jpg', 'Dunes.jpg'].entries()) {
    await insertPicture(database, {
      ...{ ownerAccountId: ana.accountId, name, size: 1000 * (index + 1), parts: index + 1 },
      ...{ createdAt: new Date(Date.UTC(2026, 0, index + 1)), signature: `${index}`.repeat(32) },
      ...(index === 0 ? { mimeType: 'image/png', usedAt: nowDate() } : {}),
      ...(index === 1 ? { chosenId, id: ownFileId(ana.accountId, chosenId) } : {}),
    });
  }
  await insertPicture(database, { ownerAccountId: ana.accountId, name: 'Chat.jpg', bucket: 'messageFiles' });
  await insertPicture(database, { ownerAccountId: ben.accountId, name: 'Ben.jpg', usedAt: nowDate() });

  const { reply } = await list(ana);
  expect(namesIn(reply)).toEqual(['Beach.png', 'Boat.jpg', 'Cave.jpg', 'Dunes.jpg']);
  expect(reply.total).toBe(4);
  const params = { bucketId: 'images' as const, fileId: chosenId };
  expect((await server.call(ana, storage.get, { params })).reply).toEqual(reply.files[1]);
  expect(reply.files[1]?.$id).toBe(chosenId);
  expect(namesIn((await list(ana, {}, 'messageFiles')).reply)).toEqual(['Chat.jpg']);
  expect(namesIn((await list(ben)).reply)).toEqual(['Ben.jpg']);

  for (const [queries, expected] of [
    [
      ['limit(2)', 'orderDesc("$createdAt")'],
      ['Dunes.jpg', 'Cave.jpg'],
    ],
    [['{"method":"offset","values":[3]}'], ['Dunes.jpg']],
    [['equal("mimeType", ["image/png"])'], ['Beach.png']],
    [['{"method":"equal","attribute":"name","values":["Cave.jpg","Boat.jpg"]}'], ['Boat.jpg', 'Cave.jpg']],
    [
      ['greaterThan("sizeOriginal", [2000])', 'orderAsc("name")'],
      ['Cave.jpg', 'Dunes.jpg'],
    ],
    [['equal("chunksTotal", [3])', 'equal("chunksUploaded", [3])'], ['Cave.jpg']],
    [[`equal("signature", ["${'0'.repeat(32)}"])`], ['Beach.png']],
    [[`equal("$id", ["${chosenId}"])`], ['Boat.jpg']],
    [['startsWith("name", ["B"])'], ['Beach.png', 'Boat.jpg']],
    [[`cursorAfter("${chosenId}")`], ['Cave.jpg', 'Dunes.jpg']],
    [[`cursorBefore("${chosenId}")`], ['Beach.png']],
    [['select(["name"])', 'limit(1)'], ['Beach.png']],
  ] as const) {
    const query = Object.fromEntries(queries.map((text, index) => [`queries[${index}]`, text]));
    expect(namesIn((await list(ana, query)).reply)).toEqual(expected);
  }
  expect(namesIn((await list(ana, { search: 'BOA' })).reply)).toEqual(['Boat.jpg']);
  expect((await list(ana, { search: '%' })).reply).toEqual({ total: 0, files: [] });
  expect((await list(ana, { total: 'false' })).reply).toMatchObject({ total: 0, files: { length: 4 } });
  expect((await list(ana, { 'queries[0]': 'limit(1)' })).reply).toMatchObject({
    total: 4,
    files: { length: 1 },
  });
  await database.delete(rows).where(eq(rows.ownerAccountId, ana.accountId));
});

test.for([
  [{ 'queries[0]': 'equal("readers", ["x"])' }, 'general_query_invalid'],
  [{ 'queries[0]': 'equal("storedId", ["x"])' }, 'general_query_invalid'],
  [{ 'queries[0]': 'orderAsc("alt")' }, 'general_query_invalid'],
  [{ 'queries[0]': 'equal("sizeOriginal", ["a"])' }, 'general_query_invalid'],
  [{ 'queries[0]': 'limit(0)' }, 'general_query_invalid'],
  [{ 'queries[0]': 'nothing()' }, 'general_query_invalid'],
  [{ 'queries[0]': 'cursorAfter("unknown")' }, 'general_cursor_not_found'],
  [{ search: 'a'.repeat(257) }, 'general_argument_invalid'],
] as const)('a list is refused with %j', async ([query, type], { ana, list }) => {
  expect((await list(ana, query)).problem).toMatchObject({ code: 400, type });
});

test('another’s file is no cursor, and an unknown bucket none', async ({
  database,
  server,
  ana,
  ben,
  list,
}) => {
  const theirs = await insertPicture(database, { ownerAccountId: ben.accountId, usedAt: nowDate() });
  const { problem } = await list(ana, { 'queries[]': `cursorAfter("${theirs}")` });
  expect(problem.type).toBe('general_cursor_not_found');
  const unknown = await server.request(ana, { url: '/v1/storage/buckets/secrets/files' });
  expect(unknown.json()).toMatchObject({ code: 404, type: 'storage_bucket_not_found' });
});
