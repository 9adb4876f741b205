import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { personalData } from '@tara/contract/accounts/personal-data';
import { nowMs } from '@tara/contract/clock';
import { files as fileCalls } from '@tara/contract/files';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect } from 'vitest';
import { storageRoutes } from './backend/storage/storage.ts';
import { accountLimits } from './features/accounts/index.ts';
import { files, fileTasks, objectRemovals, uploads } from './features/files/index.ts';
import { personalDataRoutes, personalDataTasks } from './features/personal-data/index.ts';
import { encryptedStore } from './platform/files/encrypted.ts';
import { openFiles } from './platform/files/open.ts';
import { openS3Store, type S3Store } from './platform/files/s3.ts';
import { FileNotFound, type StoredFile } from './platform/files/store.ts';
import { quietLog } from './platform/log.ts';
import { helpers, sendFile } from './testing/backend/storage.ts';
import { filePart, largeFile } from './testing/backend/upload-parts.ts';
import { insertMember, type Member } from './testing/features/members.ts';
import { pictureBytes } from './testing/features/pictures.ts';
import { type TestServer, testServer } from './testing/server.ts';
import { hasSwift, openFauxqs, openSwift, type TestStore } from './testing/services/s3.ts';
import { test } from './testing/test.ts';

const documentsKey = randomBytes(32);
/** A busy machine may stop a store of the tests for seconds. */
const patient = { timeoutMs: 60_000 };

const viewOf = (server: TestServer, who: Member, id: string, headers: Record<string, string> = {}) =>
  server.request(who, { url: `/v1/storage/buckets/images/files/${id}/view`, headers });

const stores = [
  { name: 'fauxqs', open: openFauxqs },
  ...(hasSwift ? [{ name: 'OpenStack Swift', open: openSwift }] : []),
];

describe.each(stores)('files in $name', ({ open }) => {
  let service: TestStore;
  let store: S3Store;
  beforeAll(async () => {
    service = await open();
    store = openS3Store(service.settings, patient);
    return async () => {
      store.close();
      await service.stop();
    };
  }, 300_000);

  const listObjects = (): Promise<StoredFile[]> => Readable.from(store.list()).toArray();

  /** Servers of two nodes, on one database and one store, which share no memory. */
  const nodes = test.extend('nodes', async ({ platform: first }, { onCleanup }) => {
    const nodes = await Promise.all(
      [0, 1].map(async () => {
        const platform = { ...first, files: openS3Store(service.settings, patient) };
        const server = await testServer(platform, (app) => {
          storageRoutes(app, platform, documentsKey);
          personalDataRoutes(app, platform, accountLimits(false));
        });
        return { server, platform };
      }),
    );
    onCleanup(async () => {
      for (const { server, platform } of nodes) {
        await server.close();
        platform.files.close();
      }
    });
    return nodes;
  });

  test('are read as they were written, whole and in part, and are gone once deleted', async () => {
    const key = 'files/ana/one/original';
    await store.put(key, Buffer.from('0123456789'));
    await store.put(key, Readable.from([Buffer.from('abcde'), Buffer.from('fghij')]));
    expect(String(await store.read(key))).toBe('abcdefghij');
    expect(String(await store.read(key, { start: 2, end: 4 }))).toBe('cde');
    expect(await store.exists(key)).toBe(true);
    const large = randomBytes(20 * 1024 * 1024);
    await store.put(
      'exports/large',
      Readable.from([large.subarray(0, 9_000_000), large.subarray(9_000_000)]),
    );
    expect((await store.read('exports/large')).equals(large)).toBe(true);
    const listed = await listObjects();
    expect(listed).toEqual(
      expect.arrayContaining([
        { key, sizeBytes: 10 },
        { key: 'exports/large', sizeBytes: large.length },
      ]),
    );
    for (const name of [key, 'exports/large', key]) await store.delete(name);
    expect(await store.exists(key)).toBe(false);
    await expect(store.read(key)).rejects.toThrow(FileNotFound);
    await expect(store.read(key, { start: 0, end: 1 })).rejects.toThrow(FileNotFound);
    await expect(async () => store.put('../a', Buffer.from('x'))).rejects.toThrow(RangeError);
  });

  test('of which the source breaks off leave nothing, also when part of them is written', async () => {
    const broken = Readable.from(
      (async function* () {
        yield randomBytes(9_000_000);
        yield randomBytes(9_000_000);
        throw new Error('the source broke off');
      })(),
    );
    await expect(store.put('exports/broken', broken)).rejects.toThrow('the source broke off');
    expect(await store.exists('exports/broken')).toBe(false);
    expect(await store.abortUploads(new Date(nowMs() + 60_000))).toBe(0);
  });

  nodes(
    'that one node stored are shown, sent in ranges and deleted by another',
    async ({ nodes: [a, b], database }) => {
      if (!a || !b) return expect.unreachable();
      const ana = await insertMember(database);
      const { status, body } = await sendFile(a.server, ana, { bytes: await pictureBytes() });
      expect(status).toBe(201);
      const whole = await viewOf(b.server, ana, body.$id);
      expect(whole.rawPayload).toHaveLength(body.sizeOriginal);
      const part = await viewOf(b.server, ana, body.$id, { range: 'bytes=10-19' });
      expect([part.statusCode, part.rawPayload]).toEqual([206, whole.rawPayload.subarray(10, 20)]);
      const preview = `/v1/storage/buckets/images/files/${body.$id}/preview?width=96`;
      expect((await b.server.request(ana, { url: preview })).statusCode).toBe(200);

      const [row] = await database.select().from(files).where(eq(files.id, body.$id));
      const key = `${row?.path}/original`;
      const damaged = Buffer.from(whole.rawPayload);
      damaged[100] = (damaged[100] ?? 0) ^ 1;
      await store.put(key, damaged);
      for (const headers of [{}, { range: 'bytes=10-19' }] as Record<string, string>[])
        expect((await viewOf(a.server, ana, body.$id, headers)).statusCode).toBe(500);

      const params = { bucketId: 'images' as const, fileId: body.$id };
      expect((await b.server.call(ana, fileCalls.delete, { params })).status).toBe(204);
      expect(await store.exists(key)).toBe(false);
      expect((await viewOf(a.server, ana, body.$id)).statusCode).toBe(404);
      expect(await database.$count(objectRemovals)).toBe(0);
    },
  );

  nodes(
    'in parts go on at another node, and both may get the last part',
    async ({ nodes: [a, b], database }) => {
      if (!a || !b) return expect.unreachable();
      const ana = await insertMember(database);
      const whole = await largeFile();
      const { body: first } = await sendFile(a.server, ana, filePart({ index: 0, whole }));
      const id = first.$id;
      expect((await sendFile(b.server, ana, filePart({ index: 1, whole, id }))).body.chunksUploaded).toBe(2);
      const last = filePart({ index: 2, whole, id });
      const replies = await Promise.all([a, b, b, a].map(({ server }) => sendFile(server, ana, last)));
      expect(replies.map(({ status, body }) => [status, body.chunksUploaded])).toEqual(
        Array.from({ length: 4 }, () => [201, 3]),
      );
      expect((await viewOf(b.server, ana, id)).statusCode).toBe(200);
      const own = and(eq(files.ownerAccountId, ana.accountId), eq(files.parts, 3));
      expect(await database.$count(files, own)).toBe(1);
      expect(await database.$count(uploads, eq(uploads.ownerAccountId, ana.accountId))).toBe(0);
      const left = (await listObjects()).filter(({ key }) => key.includes(ana.accountId));
      const [row] = await database.select().from(files).where(own);
      expect(left.map(({ key }) => key).sort()).toEqual(
        ['original', ...(row?.variants ?? [])].map((name) => `${row?.path}/${name}`).sort(),
      );
      expect(await database.$count(objectRemovals)).toBe(0);
    },
  );

  nodes(
    'are encrypted before they leave the node where they show an identity (threat-identity-documents)',
    async ({ nodes: [a], database }) => {
      if (!a) return expect.unreachable();
      const ana = await insertMember(database);
      const bytes = await pictureBytes();
      const { body } = await sendFile(a.server, ana, { bytes, bucket: 'verificationFiles' });
      const [row] = await database.select().from(files).where(eq(files.id, body.$id));
      const stored = await store.read(`${row?.path}/original`);
      expect(stored.subarray(0, 4).toString()).toBe('TE01');
      const opened = await encryptedStore(store, documentsKey).read(`${row?.path}/original`);
      expect(opened).toHaveLength(row?.size ?? 0);
      expect(stored.includes(opened.subarray(100, 200))).toBe(false);
    },
  );

  nodes(
    'of an export are made by one node and sent by another',
    async ({ nodes: [a, b], database, platform }) => {
      if (!a || !b) return expect.unreachable();
      const ana = await insertMember(database);
      expect((await a.server.call(ana, personalData.requestExport)).status).toBe(200);
      for (const { task, payload } of await platform.takeJobs())
        if (task === 'personalData.export')
          await personalDataTasks(b.platform, documentsKey)['personalData.export'](payload as never, helpers);
      const { latestExport } = (await a.server.call(ana, personalData.get)).reply;
      const body = { id: latestExport?.id ?? '' };
      const { url } = (await a.server.call(ana, personalData.prepareDownload, { body })).reply;
      const zip = (await a.server.request(ana, { url })).rawPayload;
      expect([zip.length, zip.subarray(0, 2).toString()]).toEqual([latestExport?.sizeBytes, 'PK']);
    },
  );

  nodes(
    'that a node left before their row was committed are removed a day later',
    async ({ nodes: [a], database }) => {
      if (!a) return expect.unreachable();
      const key = 'identity/ana/lost/original';
      await store.put(key, Buffer.from('TE01'));
      await database.insert(objectRemovals).values({ key, dueAt: new Date(nowMs() - 1000) });
      await fileTasks(a.platform, documentsKey)['files.sweep']({}, helpers);
      expect([await store.exists(key), await database.$count(objectRemovals)]).toEqual([false, 0]);
    },
  );

  test('whose settings are wrong end the start with a sentence that names the setting', async () => {
    const refusal = async (change: Partial<TestStore['settings']>) => {
      const s3 = { ...service.settings, ...change };
      const outcome = await openFiles({ s3, dataDir: '/nowhere' }, quietLog(), patient).then(
        ({ stop }) => stop(),
        (error: Error) => `${error.name}: ${error.message}`,
      );
      return outcome ?? 'started';
    };
    expect(await refusal({})).toBe('started');
    expect(await refusal({ bucket: 'another-bucket' })).toMatch(/^StartRefused: S3_BUCKET /);
    if (service.stranger === null) return;
    expect(await refusal({ secretAccessKey: 'wrong' })).toMatch(/^StartRefused: S3_SECRET_ACCESS_KEY /);
    expect(await refusal({ accessKeyId: 'nobody' })).toMatch(/^StartRefused: S3_(ACCESS_KEY_ID|SECRET)/);
    expect(await refusal(service.stranger)).toMatch(/^StartRefused: S3_ACCESS_KEY_ID and /);
    expect(await refusal({ region: 'mars-1' })).toMatch(/^StartRefused: S3_REGION /);
  });
});
