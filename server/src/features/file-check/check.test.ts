import { randomBytes } from 'node:crypto';
import { nowDate, nowMs } from '@tara/contract/clock';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { connect } from '../../platform/database/connect.ts';
import { encryptedStore } from '../../platform/files/encrypted.ts';
import { StoreAway } from '../../platform/files/store.ts';
import { newId } from '../../platform/ids.ts';
import { helpers } from '../../testing/backend/storage.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { test as base } from '../../testing/test.ts';
import { accounts } from '../accounts/index.ts';
import { files, fileTasks, objectRemovals, uploads } from '../files/index.ts';
import { dataExports } from '../personal-data/index.ts';
import { checkStore } from './check.ts';

const documentsKey = randomBytes(32);

/** A check as the command makes it, on one connection. */
const test = base.extend('check', { scope: 'file' }, async ({ connection, platform }, { onCleanup }) => {
  const own = connect(connection.url, { size: 1 });
  onCleanup(() => own.close());
  return (files: typeof platform.files = platform.files) => checkStore({ database: own.database, files });
});

test('finds files that are missing and objects without a record, and tells those apart that go at once', async ({
  database,
  platform,
  check,
}) => {
  const { files: store } = platform;
  const documents = encryptedStore(store, documentsKey);
  const [ana, gone] = [await insertMember(database), await insertMember(database)];
  await database.update(accounts).set({ deletedAt: sql`now()` }).where(eq(accounts.id, gone.accountId));
  const bytes = Buffer.from('bytes');
  // What is whole: a file of before, one with a path, an upload, an export, and one that is being written.
  const before = await insertPicture(database, { ownerAccountId: ana.accountId, variants: [] });
  await store.put(`${before}/original`, bytes);
  const path = `files/${ana.accountId}/${newId()}`;
  await insertPicture(database, { ownerAccountId: ana.accountId, path, variants: [96] });
  for (const name of ['original', '96']) await store.put(`${path}/${name}`, bytes);
  const upload = {
    id: newId(),
    ownerAccountId: ana.accountId,
    bucket: 'images' as const,
    size: 100,
    parts: [0],
  };
  await database.insert(uploads).values(upload);
  await store.put(`parts/${upload.id}/0`, bytes);
  const expiresAt = new Date(nowMs() + 1e6);
  const contents = { sealedKey: 'sealed', sizeBytes: 5, readyAt: nowDate(), expiresAt };
  const ready = { id: newId(), accountId: ana.accountId, ...contents };
  await database.insert(dataExports).values(ready);
  await store.put(`exports/${ready.id}`, bytes);
  // Of these the object may be there or not.
  await database.insert(dataExports).values([
    { id: newId(), accountId: ana.accountId },
    { ...ready, id: newId(), expiresAt: new Date(nowMs() - 1000) },
  ]);
  const writing = `files/${ana.accountId}/${newId()}/original`;
  await database.insert(objectRemovals).values({ key: writing, dueAt: new Date(nowMs() + 86_000_000) });
  await store.put(writing, bytes);
  expect(await check()).toEqual({
    counts: { objects: 6, expected: 5 },
    ...{ missing: [], parked: [], removed: [], foreign: [], failures: [] },
  });
  // Nor is missing what was written since the store was listed.
  const listedBefore = {
    ...store,
    list: async function* () {
      for await (const object of store.list()) if (object.key !== `${before}/original`) yield object;
    },
  };
  expect(await check(listedBefore)).toMatchObject({ counts: { objects: 5 }, missing: [] });

  // What is not.
  await store.delete(`${path}/96`);
  const lost = await insertPicture(database, {
    ownerAccountId: ana.accountId,
    variants: [],
    createdAt: new Date(0),
  });
  const parked = [
    `files/${ana.accountId}/${newId()}/original`,
    // Of an account that this database never had.
    `files/${newId()}/${newId()}/original`,
    ...[`${newId()}/640`, `${path}/320`],
  ];
  const hidden = [
    `exports/${newId()}`,
    `identity/${ana.accountId}/${newId()}/original`,
    `files/${gone.accountId}/${newId()}/original`,
    `parts/${gone.accountId}/${newId()}/0`,
  ];
  for (const key of [...parked, ...hidden]) await store.put(key, bytes);
  const oldIdentity = `${newId()}/original`;
  await documents.put(oldIdentity, bytes);
  const result = await check();
  expect({ ...result, removed: result.removed.sort(), parked: result.parked.sort() }).toMatchObject({
    missing: expect.arrayContaining([`${path}/96`, `${lost}/original`]),
    parked: parked.sort(),
    removed: [...hidden, oldIdentity].sort(),
    ...{ foreign: [], failures: [] },
  });
  expect(result.missing).toHaveLength(2);
  const left = store.keys();
  expect(left).toEqual(expect.arrayContaining(parked));
  for (const key of [...hidden, oldIdentity]) expect(left).not.toContain(key);

  // Parked ones are found again, stay 7 days, and those that a record has come to refer to stay for good.
  expect((await check()).parked.sort()).toEqual(parked);
  const [due] = await database
    .select({ days: sql<number>`round(extract(epoch from ${objectRemovals.dueAt} - now()) / 86400)::int` })
    .from(objectRemovals)
    .where(eq(objectRemovals.key, parked[0] ?? ''));
  expect(due?.days).toBe(7);
  await database.update(objectRemovals).set({ dueAt: sql`now() - interval '1 minute'` });
  await database
    .update(files)
    .set({ variants: [96, 320] })
    .where(eq(files.path, path));
  await fileTasks(platform, documentsKey)['files.sweep']({}, helpers);
  const rest = store.keys();
  expect(rest).toContain(`${path}/320`);
  expect(parked.filter((key) => rest.includes(key))).toEqual([`${path}/320`]);
});

test('removes nothing at once when records refer to no object at all, as with the database of another store', async ({
  database,
  platform,
  check,
}) => {
  await database.delete(files);
  await database.delete(uploads);
  await database.delete(dataExports);
  for (const key of platform.files.keys()) await platform.files.delete(key);
  await database.delete(objectRemovals);
  const gone = await insertMember(database);
  await database.update(accounts).set({ deletedAt: sql`now()` }).where(eq(accounts.id, gone.accountId));
  const keys = [`exports/${newId()}`, `files/${gone.accountId}/${newId()}/original`, `identity/a/b/original`];
  for (const key of keys) await platform.files.put(key, Buffer.from('bytes'));
  expect(await check()).toMatchObject({ removed: [], parked: keys });
  for (const key of keys) await platform.files.delete(key);
  await database.delete(objectRemovals);
});

test('looks at all records and all objects, however many there are', async ({
  database,
  platform,
  check,
}) => {
  const { files: store } = platform;
  const { accountId } = await insertMember(database);
  const createdAt = new Date(0);
  const names = Array.from({ length: 501 }, (_, index) => `n${String(index).padStart(3, '0')}`);
  const [first = '', last = ''] = [names.at(0), names.at(-1)];
  await insertPicture(database, { id: first, ownerAccountId: accountId, variants: [], createdAt });
  await database.execute(sql`
    insert into files select (jsonb_populate_record(files, jsonb_build_object('id', 'n' || lpad(n::text, 3, '0')))).*
    from files, generate_series(1, 500) as n where files.id = ${first}`);
  const upload = { ownerAccountId: accountId, bucket: 'images' as const, size: 100, parts: [0] };
  await database.insert(uploads).values(names.map((id) => ({ ...upload, id, updatedAt: createdAt })));
  const expiresAt = new Date(nowMs() + 1e6);
  const contents = { accountId, sealedKey: 'sealed', sizeBytes: 5, readyAt: createdAt, expiresAt };
  await database.insert(dataExports).values(names.map((id) => ({ id, ...contents })));
  const keysOf = (name: string) => [`${name}/original`, `parts/${name}/0`, `exports/${name}`];
  const unowned = names.map((name) => `files/${accountId}/${name}/original`);
  const owned = names.slice(0, -1).flatMap(keysOf);
  for (const key of [...owned, ...unowned]) await store.put(key, Buffer.from('bytes'));
  const { counts, missing, parked } = await check();
  expect(counts).toEqual({ objects: owned.length + unowned.length, expected: 3 * names.length });
  expect(missing.sort()).toEqual(keysOf(last).sort());
  expect(parked).toEqual(unowned);
  await database.delete(files);
  await database.delete(uploads);
  await database.delete(dataExports);
  await database.delete(objectRemovals);
  for (const key of store.keys()) await store.delete(key);
});

test('goes on after a file that fails, leaves foreign names alone, and ends when the store is away', async ({
  database,
  platform,
  check,
}) => {
  const { files: store } = platform;
  const ana = await insertMember(database);
  // Of before the check begins, by whose records the store is known to be its own.
  const known = await insertPicture(database, {
    ownerAccountId: ana.accountId,
    variants: [],
    createdAt: new Date(0),
  });
  await store.put(`${known}/original`, Buffer.from('bytes'));
  const [bad, good] = ['a', 'b'].map((name) => `identity/${ana.accountId}/${name}/original`) as [
    string,
    string,
  ];
  const unread = `${newId()}/original`;
  for (const key of [bad, good, unread]) await store.put(key, Buffer.from('bytes'));
  const failing = {
    ...store,
    read: async (...[key, range]: Parameters<typeof store.read>) => {
      if (key === unread) throw new StoreAway('unreadable for a while');
      return store.read(key, range);
    },
    delete: async (key: string) => {
      if (key === bad) throw new StoreAway('this one only');
      await store.delete(key);
    },
    list: async function* () {
      yield { key: 'some folder/é', sizeBytes: 1 };
      yield* store.list();
    },
  };
  const result = await check(failing);
  expect(new Map(result.failures.map(({ key, reason }) => [key, reason]))).toEqual(
    new Map([
      [bad, 'this one only'],
      [unread, 'unreadable for a while'],
    ]),
  );
  expect(result.parked).toEqual([]);
  expect(result.removed).toEqual([good]);
  expect(result.foreign).toEqual(['some folder/é']);
  const away = {
    ...failing,
    exists: async () => {
      throw new StoreAway('all of it');
    },
  };
  await expect(check(away)).rejects.toThrow('all of it');
  expect((await check()).removed).toEqual([bad]);
});
