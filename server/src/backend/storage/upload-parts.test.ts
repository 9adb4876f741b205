import { files } from '@tara/contract/files';
import { storage } from '@tara/contract/wire/storage';
import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { fileTasks, removeUnfinished, uploads } from '../../features/files/index.ts';
import { mostUnused } from '../../features/files/upload.ts';
import { StoreAway } from '../../platform/files/store.ts';
import { openImages } from '../../platform/images/queue.ts';
import { Problem } from '../../platform/problem.ts';
import { documentsKey, helpers } from '../../testing/backend/storage.ts';
import { partBytes, size, partsTest as test } from '../../testing/backend/upload-parts.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture, pictureBytes } from '../../testing/features/pictures.ts';
import { testServer } from '../../testing/server.ts';
import { storageRoutes } from './storage.ts';

describe('parts of 5 MiB', () => {
  test('come in any order and twice, also after a restart, and make the file of one upload (§9-upload-chunk, §7-files-create)', async ({
    platform,
    server,
    ana,
    send,
    sendPart,
    view,
    keys,
  }) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const picture = await sharp({
      create: { width: 1500, height: 1200, channels: 3, background: 'gray', noise },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    // Its pixels are in the first two parts.
    expect(picture.length).toBeGreaterThan(partBytes);
    const whole = Buffer.concat([picture, Buffer.alloc(size - picture.length)]);
    const { body: single } = await send(ana, { bytes: whole });
    const fileId = `large-${ana.accountId.slice(0, 8)}`;
    const params = { bucketId: 'images' as const, fileId };
    const resume = async () => (await server.call(ana, storage.get, { params })).reply;

    const last = await sendPart(ana, { index: 2, whole, fileId });
    expect(last).toMatchObject({
      status: 201,
      body: { $id: fileId, name: 'large.jpg', signature: '', sizeOriginal: whole.length },
    });
    expect([last.body.chunksUploaded, last.body.chunksTotal]).toEqual([1, 3]);
    // An SDK continues after the parts that the reply counts, so parts behind a gap do not count.
    expect(await resume()).toMatchObject({ chunksUploaded: 0, chunksTotal: 3 });
    const [first, again] = await Promise.all(
      ['first', 'again'].map(() => sendPart(ana, { index: 0, whole, fileId, id: fileId })),
    );
    expect([first?.body.chunksUploaded, again?.body.chunksUploaded]).toEqual([2, 2]);
    expect(await resume()).toMatchObject({ chunksUploaded: 1 });
    expect((await view(ana, fileId)).statusCode).toBe(404);

    const restarted = await testServer(platform, (app) => storageRoutes(app, platform, documentsKey));
    const part = { index: 1, whole, fileId, id: fileId };
    const { status, body } = await sendPart(ana, part);
    await restarted.close();
    expect([status, body.chunksUploaded, body.chunksTotal]).toEqual([201, 3, 3]);
    expect(body).toMatchObject({ $id: fileId, signature: single.signature, mimeType: single.mimeType });
    expect(await resume()).toEqual(body);
    expect((await view(ana, fileId)).rawPayload.length).toBe(body.sizeOriginal);
    expect(keys('parts/')).toEqual([]);
    // Its answer got lost.
    expect(await sendPart(ana, part)).toEqual({ status: 201, body });
    expect((await send(ana, { bytes: await pictureBytes(), fileId })).body.type).toBe(
      'storage_file_already_exists',
    );
  });

  test('are announced by SDKs before 13.0.0 with the last one too far; a range of the whole file is no part', async ({
    ana,
    send,
    sendPart,
    large,
  }) => {
    const range = `bytes ${2 * partBytes}-${size}/${size}`;
    expect(await sendPart(ana, { index: 2, whole: large, range })).toMatchObject({
      ...{ status: 201, body: { chunksUploaded: 1, chunksTotal: 3 } },
    });
    const headers = { 'content-range': `bytes 0-${size - 1}/${size}` };
    expect(await send(ana, { bytes: large, headers })).toMatchObject({
      ...{ status: 201, body: { chunksUploaded: 1, chunksTotal: 1 } },
    });
  });

  test('of an identity picture are encrypted on disk (threat-identity-documents)', async ({
    platform,
    ana,
    sendPart,
    keys,
    large,
  }) => {
    const bucket = 'verificationFiles';
    const { body } = await sendPart(ana, { index: 0, whole: large, bucket });
    const [part, ...others] = keys(`parts/${ana.accountId}/`);
    expect([part, others]).toEqual([expect.stringMatching(`^parts/${ana.accountId}/.*/0$`), []]);
    expect((await platform.files.read(part ?? '')).subarray(0, 4).toString()).toBe('TE01');
    await sendPart(ana, { index: 1, whole: large, bucket, id: body.$id });
    const { body: done } = await sendPart(ana, { index: 2, whole: large, bucket, id: body.$id });
    expect(done).toMatchObject({ $id: body.$id, chunksUploaded: 3, chunksTotal: 3 });
    expect(keys(`parts/${ana.accountId}/`)).toEqual([]);
    expect(keys(`identity/${ana.accountId}/`)).toHaveLength(1);
  });

  test('sent at once, twice, complete the file once, and nothing is left of them', async ({
    ana,
    sendPart,
    countFiles,
    keys,
    large,
  }) => {
    const { body: first } = await sendPart(ana, { index: 0, whole: large });
    const answers = await Promise.all(
      [2, 1, 1, 2].map((index) => sendPart(ana, { index, whole: large, id: first.$id })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(Math.max(...answers.map(({ body }) => body.chunksUploaded))).toBe(3);
    expect(await countFiles(ana)).toBe(1);
    expect(keys(`parts/${ana.accountId}/`)).toEqual([]);
  });

  test('are not taken as a picture when they are none together, and all go', async ({
    database,
    ana,
    sendPart,
    countFiles,
    keys,
  }) => {
    const whole = Buffer.alloc(size, 1);
    (await pictureBytes()).copy(whole, 0, 0, 100);
    const { body } = await sendPart(ana, { index: 0, whole });
    await sendPart(ana, { index: 1, whole, id: body.$id });
    const refused = await sendPart(ana, { index: 2, whole, id: body.$id });
    expect(refused).toMatchObject({
      status: 403,
      body: { type: 'storage_invalid_file', text: 'please choose another' },
    });
    expect(await countFiles(ana)).toBe(0);
    expect(await database.$count(uploads, eq(uploads.ownerAccountId, ana.accountId))).toBe(0);
    expect(keys(`parts/${ana.accountId}/`)).toEqual([]);
  });

  test.for(['the server is busy', 'the store is away'])(
    'stay while %s: the last one sent again completes the file',
    async (what, { platform: whole, ana, large }) => {
      const { files: store } = whole;
      const images = openImages({ rateLimits: false });
      let isBusy = true;
      const busyImages = {
        ...images,
        process: (...args: Parameters<typeof images.process>) => {
          if (isBusy) throw new Problem('general_unavailable');
          return images.process(...args);
        },
      };
      const awayStore = {
        ...store,
        read: (...args: Parameters<typeof store.read>) =>
          isBusy ? Promise.reject(new StoreAway('The store is away.')) : store.read(...args),
      };
      const isAway = what === 'the store is away';
      const platform = { ...whole, files: isAway ? awayStore : store };
      const server = await testServer(platform, (app) =>
        storageRoutes(app, platform, documentsKey, { images: isAway ? images : busyImages }),
      );
      const sendTo = async (index: number, id: string) => {
        const start = index * partBytes;
        const bytes = large.subarray(start, start + partBytes);
        const form = new FormData();
        form.append('fileId', id);
        form.append('file', new Blob([Uint8Array.from(bytes)]), 'a.jpg');
        const request = new Request('http://localhost', { method: 'POST', body: form });
        const response = await server.request(ana, {
          method: 'POST',
          url: '/v1/storage/buckets/images/files',
          headers: {
            'content-type': request.headers.get('content-type') ?? '',
            'content-range': `bytes ${start}-${start + bytes.length - 1}/${size}`,
          },
          payload: Buffer.from(await request.arrayBuffer()),
        });
        return { status: response.statusCode, body: response.json() };
      };
      const id = `busy-${ana.accountId.slice(0, 8)}`;
      for (const index of [0, 1]) await sendTo(index, id);
      expect((await sendTo(2, id)).status).toBe(503);
      const params = { bucketId: 'images' as const, fileId: id };
      expect((await server.call(ana, storage.get, { params })).reply.chunksUploaded).toBe(2);
      isBusy = false;
      expect((await sendTo(2, id)).body).toMatchObject({ chunksUploaded: 3, chunksTotal: 3 });
      await server.close();
    },
  );
});

test('a completion that a crash cut off is ended by the part sent again', async ({
  database,
  ana,
  sendPart,
  view,
  large,
}) => {
  const { body: first } = await sendPart(ana, { index: 0, whole: large });
  await sendPart(ana, { index: 1, whole: large, id: first.$id });
  const [row] = await database.select().from(uploads).where(eq(uploads.id, first.$id));
  if (row === undefined) throw new Error('The upload is gone.');
  // Its row was written, and none of its bytes.
  await insertPicture(database, { id: first.$id, ownerAccountId: ana.accountId });
  const last = { index: 2, whole: large, id: first.$id };
  const { body } = await sendPart(ana, last);
  expect(body).toMatchObject({ chunksUploaded: 3, name: 'large.jpg' });
  expect((await view(ana, first.$id)).statusCode).toBe(200);
  // All is stored, and the parts are gone, but not their row.
  await database.insert(uploads).values({ ...row, parts: [0, 1, 2] });
  expect((await sendPart(ana, last)).body).toEqual(body);
  expect(await database.$count(uploads, eq(uploads.id, first.$id))).toBe(0);
});

test('an unfinished upload is its owner’s alone, also under an id that both chose', async ({
  database,
  server,
  ana,
  ben,
  sendPart,
  keys,
  large,
}) => {
  const fileId = `same-${ana.accountId.slice(0, 8)}`;
  await sendPart(ana, { index: 0, whole: large, fileId });
  const params = { bucketId: 'images' as const, fileId };
  for (const call of [storage.get, files.delete] as const)
    expect((await server.call(ben, call, { params })).problem.type).toBe('storage_file_not_found');
  const stored = keys('parts/');
  const { body } = await sendPart(ben, { index: 1, whole: large, fileId, id: fileId });
  expect([body.chunksUploaded, body.$permissions]).toEqual([
    1,
    [`read("user:${ben.accountId}")`, `delete("user:${ben.accountId}")`],
  ]);
  expect(keys('parts/')).toHaveLength(stored.length + 1);
  expect((await server.call(ana, storage.get, { params })).reply.chunksUploaded).toBe(1);
  // Nor is one found by the id that the server gave it, nor is a file.
  const { body: unnamed } = await sendPart(ana, { index: 0, whole: large });
  const unnamedParams = { bucketId: 'images' as const, fileId: unnamed.$id };
  for (const call of [storage.get, files.delete] as const)
    expect((await server.call(ben, call, { params: unnamedParams })).problem.type).toBe(
      'storage_file_not_found',
    );
  const theirs = await insertPicture(database, { ownerAccountId: ana.accountId });
  for (const id of [unnamed.$id, theirs])
    expect((await sendPart(ben, { index: 1, whole: large, fileId: id, id })).body).toMatchObject({
      ...{ $id: id, chunksUploaded: 1 },
      $permissions: [`read("user:${ben.accountId}")`, `delete("user:${ben.accountId}")`],
    });
  expect((await server.call(ana, storage.get, { params: unnamedParams })).reply.chunksUploaded).toBe(1);
});

test('the last part is answered again, however many files of its sender nothing uses', async ({
  database,
  ana,
  sendPart,
  large,
}) => {
  const { body: first } = await sendPart(ana, { index: 0, whole: large });
  const [middle, last] = [1, 2].map((index) => ({ index, whole: large, id: first.$id }));
  if (!middle || !last) return expect.unreachable();
  await sendPart(ana, middle);
  const { body } = await sendPart(ana, last);
  for (let count = 1; count < mostUnused; count++)
    await insertPicture(database, { ownerAccountId: ana.accountId });
  expect(await sendPart(ana, last)).toEqual({ status: 201, body });
});

test('the unfinished uploads of an account go together, with their parts', async ({
  database,
  platform,
  sendPart,
  keys,
  large,
}) => {
  const cora = await insertMember(database);
  for (const index of [0, 1]) await sendPart(cora, { index, whole: large });
  const isOwn = eq(uploads.ownerAccountId, cora.accountId);
  expect(await removeUnfinished(platform, isOwn, 10)).toBe(2);
  expect(await database.$count(uploads, isOwn)).toBe(0);
  expect(keys(`parts/${cora.accountId}/`)).toEqual([]);
});

test('the sweep removes uploads whose last part came a day ago (threat-starvation)', async ({
  database,
  platform,
  sendPart,
  keys,
  large,
}) => {
  const cora = await insertMember(database);
  const { body: old } = await sendPart(cora, { index: 0, whole: large });
  const { body: fresh } = await sendPart(cora, { index: 1, whole: large });
  await database
    .update(uploads)
    .set({ updatedAt: sql`now() - interval '25 hours'` })
    .where(eq(uploads.id, old.$id));
  await fileTasks(platform, documentsKey)['files.sweep']({}, helpers);
  const left = await database.select().from(uploads).where(eq(uploads.ownerAccountId, cora.accountId));
  expect(left.map(({ id }) => id)).toEqual([fresh.$id]);
  expect(keys(`parts/${cora.accountId}/`)).toEqual([`${left[0]?.path}/1`]);
});
