import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { nowMs } from '@tara/contract/clock';
import { files as fileCalls } from '@tara/contract/files';
import { posts } from '@tara/contract/posts/posts';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { storageRoutes } from './backend/storage/storage.ts';
import { files, fileTasks, objectRemovals } from './features/files/index.ts';
import { postRoutes } from './features/posts/index.ts';
import { openFiles } from './platform/files/open.ts';
import { openS3Store } from './platform/files/s3.ts';
import type { StoredFile } from './platform/files/store.ts';
import { quietLog } from './platform/log.ts';
import { helpers, type Sent, sendFile } from './testing/backend/storage.ts';
import { filePart, largeFile, partBytes } from './testing/backend/upload-parts.ts';
import { openLine } from './testing/faults/line.ts';
import { insertMember } from './testing/features/members.ts';
import { pictureBytes } from './testing/features/pictures.ts';
import { testServer } from './testing/server.ts';
import { openFauxqs } from './testing/services/s3.ts';
import { test as base } from './testing/test.ts';

/** A server whose line to its file store can be cut, stalled and joined again. */
const test = base
  .extend('line', { scope: 'file' }, async ({ environment: _ }, { onCleanup }) => {
    const service = await openFauxqs();
    const line = await openLine(() => connect(Number(new URL(service.settings.endpoint).port), '127.0.0.1'));
    onCleanup(async () => {
      line.cut();
      await service.stop();
    });
    return { ...line, s3: { ...service.settings, endpoint: `http://127.0.0.1:${line.port}` } };
  })
  .extend('node', { scope: 'file' }, async ({ platform: memory, line: { s3 } }, { onCleanup }) => {
    const store = await openFiles({ s3, dataDir: '/nowhere' }, quietLog());
    const platform = { ...memory, files: store.files };
    const server = await testServer(platform, (app) => {
      storageRoutes(app, platform, randomBytes(32));
      postRoutes(app, platform);
    });
    onCleanup(async () => {
      await server.close();
      store.stop();
    });
    return { server, platform, store };
  });

/** Against hanging only, ms. */
const patient = { timeout: 30_000 };

test('with the file store away what needs it answers 503 soon, all else goes on, and nothing that was acknowledged is lost (threat-lost-data)', async ({
  line,
  node: { server, platform, store },
  database,
}) => {
  const ana = await insertMember(database);
  const bytes = await pictureBytes();
  const upload = () => sendFile(server, ana, { bytes });
  /** Until it is taken: a busy machine may hold up its own store for longer than the limit. */
  const sendPatiently = async (file: Sent): Promise<string> => {
    let id = '';
    const send = async () => {
      const { status, body } = await sendFile(server, ana, file);
      id = body.$id;
      return status;
    };
    await expect.poll(send, patient).toBe(201);
    return id;
  };
  const address = (id: string) => `/v1/storage/buckets/images/files/${id}/view`;
  const view = (id: string) => server.request(ana, { url: address(id) });
  const remove = (fileId: string) =>
    server.call(ana, fileCalls.delete, { params: { bucketId: 'images', fileId } });
  const ids = [await sendPatiently({ bytes }), await sendPatiently({ bytes })];
  // Of two parts, the second a small one.
  const whole = (await largeFile()).subarray(0, partBytes + 1000);
  const begun = await sendPatiently(filePart({ index: 0, whole }));
  const last = filePart({ index: 1, whole, id: begun });

  for (const fail of [line.cut, line.stall]) {
    fail();
    const [stored = '', removed = ''] = ids;
    const startedAt = performance.now();
    const first = await view(stored);
    const firstMs = performance.now() - startedAt;
    expect([first.statusCode, first.headers['retry-after']]).toEqual([503, '2']);
    // The limit is 1.5 s; a busy machine may add to it.
    expect(firstMs).toBeLessThan(2_000);
    for (let tries = 0; tries < 3; tries++) {
      expect((await view(stored)).json()).toMatchObject({ type: 'general_unavailable' });
      expect((await upload()).status).toBe(503);
      expect((await sendFile(server, ana, last)).status).toBe(503);
    }
    expect((await server.call(ana, posts.feed)).status).toBe(200);
    expect((await remove(removed)).status).toBe(204);
    expect((await view(removed)).statusCode).toBe(404);
    expect(store.isAway()).toBe(true);

    await line.join();
    await expect.poll(async () => (await view(stored)).statusCode, patient).toBe(200);
    expect(store.isAway()).toBe(false);
    ids.splice(1, 1, await sendPatiently({ bytes }));
    for (const id of ids) await expect.poll(async () => (await view(id)).statusCode, patient).toBe(200);
  }
  // What was deleted meanwhile is removed by the next sweep.
  expect(await database.$count(objectRemovals)).toBeGreaterThan(0);
  await database.update(objectRemovals).set({ dueAt: new Date(nowMs() - 1000) });
  await fileTasks(platform, randomBytes(32))['files.sweep']({}, helpers);
  expect(await database.$count(objectRemovals)).toBe(0);
  expect(await sendPatiently(last)).toBe(begun);
  const rows = await database.select().from(files).where(eq(files.ownerAccountId, ana.accountId));
  const direct = openS3Store(line.s3, { timeoutMs: patient.timeout });
  const objects: StoredFile[] = await Readable.from(direct.list()).toArray();
  direct.close();
  const paths = new Set(objects.map(({ key }) => key.slice(0, key.lastIndexOf('/'))));
  expect([...paths].sort()).toEqual(rows.map(({ path }) => path).sort());
});

test('a store that is away at the start is used once it answers', async ({ line }) => {
  line.cut();
  const { files: store, isAway, stop } = await openFiles({ s3: line.s3, dataDir: '/nowhere' }, quietLog());
  expect(isAway()).toBe(true);
  expect(() => store.requireAvailable()).toThrow('does not answer');
  await line.join();
  await expect.poll(isAway, patient).toBe(false);
  await store.put('files/a/b/original', Buffer.from('x'));
  await store.delete('files/a/b/original');
  stop();
});
