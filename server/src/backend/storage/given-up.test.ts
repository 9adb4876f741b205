import { nowDate } from '@tara/contract/clock';
import { files } from '@tara/contract/files';
import { expect } from 'vitest';
import { fileTasks, releaseFile, files as rows } from '../../features/files/index.ts';
import { newId } from '../../platform/ids.ts';
import { tasks } from '../../platform/tasks.ts';
import { documentsKey, helpers, test } from '../../testing/backend/storage.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import type { TestServer } from '../../testing/server.ts';

type Who = Parameters<TestServer['call']>[0];

/** Makes the function that deletes a file as somebody, and returns the status of the reply. */
const remover =
  (server: TestServer) =>
  async (who: Who, fileId: string, bucketId: 'images' | 'messageFiles' = 'images') =>
    (await server.call(who, files.delete, { params: { bucketId, fileId } })).status;

test('the own picture of a record that was deleted may be deleted once more, by nobody else', async ({
  database,
  platform,
  server,
  ana,
  ben,
}) => {
  const remove = remover(server);
  const owner = { ownerAccountId: ana.accountId, usedAt: nowDate() };
  const used = await insertPicture(database, owner);
  expect(await remove(ana, used)).toBe(404);
  const gone = await insertPicture(database, owner);
  await database.transaction((transaction) => releaseFile(transaction, gone));
  // Before the job that removes it, and after.
  expect([await remove(ben, gone), await remove(ana, gone)]).toEqual([404, 204]);
  for (const { task, payload } of await platform.takeJobs())
    if (task === 'files.remove') await fileTasks(platform, documentsKey)['files.remove'](payload, helpers);
  const ids = (await database.select({ id: rows.id }).from(rows)).map(({ id }) => id);
  expect([ids.includes(used), ids.includes(gone)]).toEqual([true, false]);
  expect([await remove(ana, gone), await remove(ana, gone)]).toEqual([204, 204]);
  expect([await remove(ben, gone), await remove(ana, gone, 'messageFiles')]).toEqual([404, 404]);
  expect(await remove(ana, 'never-there')).toBe(404);
});

test('so is one whose record was deleted by a call to another node, before and after its removal', async ({
  database,
  platform,
  server,
  ana,
  ben,
}) => {
  const remove = remover(server);
  const { accountId: ownerAccountId } = ana;
  const waiting = await insertPicture(database, { ownerAccountId, usedAt: nowDate() });
  await tasks.removeFile.enqueue(database, { id: waiting });
  expect([await remove(ben, waiting), await remove(ana, waiting)]).toEqual([404, 204]);
  const [gone, chosenId] = [newId(), newId()];
  platform.bus.publish('fileRemoved', { ids: [gone, chosenId], bucket: 'images', ownerAccountId });
  await null;
  for (const id of [gone, chosenId])
    expect([await remove(ben, id), await remove(ana, id)]).toEqual([404, 204]);
});

test('the removal of a file is announced once it went with its record', async ({
  database,
  platform,
  ana,
}) => {
  const { accountId: ownerAccountId } = ana;
  const announced: unknown[] = [];
  platform.bus.subscribe('fileRemoved', (file) => void announced.push(file));
  const id = await insertPicture(database, { ownerAccountId, usedAt: nowDate() });
  for (let count = 0; count < 2; count++)
    await fileTasks(platform, documentsKey)['files.remove']({ id }, helpers);
  await expect.poll(() => announced).toEqual([{ ids: [id], bucket: 'images', ownerAccountId }]);
});
