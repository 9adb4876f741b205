import { files } from '@tara/contract/files';
import { expect } from 'vitest';
import { fileTasks, releaseFile, files as rows } from '../../features/files/index.ts';
import { documentsKey, helpers, test } from '../../testing/backend/storage.ts';
import { insertPicture } from '../../testing/features/pictures.ts';

test('the own picture of a record that was deleted may be deleted once more, by nobody else', async ({
  database,
  platform,
  server,
  ana,
  ben,
}) => {
  const remove = async (who: typeof ana, fileId: string, bucketId: 'images' | 'messageFiles' = 'images') =>
    (await server.call(who, files.delete, { params: { bucketId, fileId } })).status;
  const owner = { ownerAccountId: ana.accountId, usedAt: new Date() };
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
