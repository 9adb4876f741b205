import { nowDate, nowMs } from '@tara/contract/clock';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { documentsKey, helpers } from '../../testing/backend/storage.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { test } from '../../testing/test.ts';
import { findChecksums, isKept } from './objects.ts';
import { fileTasks } from './sweep.ts';
import { objectRemovals } from './tables.ts';

const hourMs = 3600_000;

test('the sweep removes what is due and nothing before its time, and what failed stays due', async ({
  database,
  platform,
}) => {
  const { files: store } = platform;
  const path = `files/${newId()}`;
  const [due, failing, reserved] = [`${path}/due`, `${path}/failing`, `${path}/reserved`];
  for (const [key, ms] of [
    [due, -hourMs],
    [failing, -2 * hourMs],
    [reserved, hourMs],
  ] as const) {
    await store.put(key, Buffer.from('bytes'));
    await database.insert(objectRemovals).values({ key, dueAt: new Date(nowMs() + ms) });
  }
  const broken = {
    ...store,
    delete: async (key: string) => {
      if (key === failing) throw new Error('This one cannot be deleted.');
      await store.delete(key);
    },
  };
  await fileTasks({ ...platform, files: broken }, documentsKey)['files.sweep']({}, helpers);
  expect(store.keys()).toEqual([failing, reserved].toSorted());
  const left = await database.select({ key: objectRemovals.key }).from(objectRemovals);
  expect(left.map(({ key }) => key).toSorted()).toEqual([failing, reserved].toSorted());
  await database.delete(objectRemovals);
});

test('an object is kept while a record refers to it, or one is about to', async ({ database }) => {
  const { accountId: ownerAccountId } = await insertMember(database);
  const id = await insertPicture(database, { ownerAccountId, variants: [96] });
  const [reserved, due] = [`files/${newId()}/original`, `files/${newId()}/original`];
  await database.insert(objectRemovals).values([
    { key: reserved, dueAt: new Date(nowMs() + hourMs) },
    { key: due, dueAt: new Date(nowMs() - hourMs) },
  ]);
  const answers = [`${id}/96`, reserved, due, `${id}/320`].map((key) => isKept(database, key));
  expect(await Promise.all(answers)).toEqual([true, true, false, false]);
  await database.delete(objectRemovals);
});

test('of objects as they were stored their checksums are known, of identity pictures none', async ({
  database,
}) => {
  const { accountId: ownerAccountId } = await insertMember(database);
  const [path, identity] = [`files/${ownerAccountId}/${newId()}`, `identity/${ownerAccountId}/${newId()}`];
  const owner = { ownerAccountId, usedAt: nowDate() };
  // Of its second object none was noted.
  await insertPicture(database, { ...owner, path, variants: [96], checksums: ['aa'] });
  await insertPicture(database, {
    ...{ ...owner, path: identity, variants: [], checksums: ['bb'] },
    bucket: 'verificationFiles',
  });
  const keys = [`${path}/original`, `${path}/96`, `${identity}/original`];
  expect(await findChecksums(database, keys)).toEqual(new Map([[`${path}/original`, 'aa']]));
});
