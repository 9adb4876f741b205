import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { memoryStore } from '../../testing/faults/memory-store.ts';
import { test as base } from '../../testing/test.ts';
import { rotateDocumentsKey } from '../files/documents-key.ts';
import { encryptedStore } from '../files/encrypted.ts';
import { forgetKey, noteDocumentsKeys, openKeys } from './keys.ts';
import { keyChecks } from './tables.ts';

const test = base
  .extend('dataDir', async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'tara-keys-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  .extend('open', async ({ database, dataDir }) => {
    await database.delete(keyChecks);
    return (variables: Partial<Parameters<typeof openKeys>[0]> = {}) =>
      openKeys(
        {
          ...{ serverKey: undefined, vapidPrivateKey: undefined, documentsKey: undefined, dataDir },
          s3: undefined,
          ...variables,
        },
        database,
      );
  });

test('makes its keys at the first start, and finds them at the next', async ({ open, dataDir }) => {
  const first = await open();
  const next = await open();
  expect(next.server).toEqual(first.server);
  expect(next.vapid).toEqual(first.vapid);
  expect(await readFile(join(dataDir, 'server.key'), 'utf8')).toContain(first.server.toString('base64'));
});

test('stores nothing that a key could be read from', async ({ open, database }) => {
  const { server, vapid } = await open();
  const rows = await database.select().from(keyChecks).orderBy(keyChecks.name);
  expect(rows.map(({ name, value }) => [name, value.length])).toEqual([
    ['server', 32],
    ['vapid', 32],
  ]);
  for (const { value } of rows) for (const key of [server, vapid]) expect(value.equals(key)).toBe(false);
});

test('takes the keys of the environment where they are those of the files', async ({ open, dataDir }) => {
  const { server, vapid } = await open();
  await rm(join(dataDir, 'server.key'));
  await rm(join(dataDir, 'vapid.key'));
  const moved = await open({ serverKey: server, vapidPrivateKey: vapid });
  expect([moved.server, moved.vapid]).toEqual([server, vapid]);
});

test('refuses another key, until the database forgets the one that it knows', async ({ open, database }) => {
  await open();
  const other = randomBytes(32);
  await expect(open({ serverKey: other })).rejects.toThrow(
    /^This database was used with another server key[.] Set SERVER_KEY to that key, or restore .*server[.]key from a backup[.] If it is lost, npm run admin -- keys forget server says what is lost/,
  );
  await expect(open({ vapidPrivateKey: other })).rejects.toThrow(
    'used with another vapid key. Set VAPID_PRIVATE_KEY',
  );
  expect(await forgetKey(database, 'server')).toBe(true);
  expect(await forgetKey(database, 'server')).toBe(false);
  expect((await open({ serverKey: other })).server).toEqual(other);
  await expect(open({ serverKey: randomBytes(32) })).rejects.toThrow('another server key');
});

test('makes no new key in the place of one that is missing', async ({ open, dataDir }) => {
  await open();
  await rm(join(dataDir, 'server.key'));
  const refusal = 'This database was used with a key that is not here. Set SERVER_KEY to that key';
  await expect(open()).rejects.toThrow(refusal);
  await expect(open()).rejects.toThrow(refusal);
});

test('knows a documents key of the environment through its rotation', async ({ open }) => {
  const [old, current] = [randomBytes(32), randomBytes(32)];
  await open({ documentsKey: [old] });
  await expect(open({ documentsKey: [current] })).rejects.toThrow('another documents key. Set DOCUMENTS_KEY');
  await expect(open()).rejects.toThrow('used with a key that is not here. Set DOCUMENTS_KEY');
  await open({ documentsKey: [current, old] });
  await open({ documentsKey: [current] });
  await expect(open({ documentsKey: [old] })).rejects.toThrow('another documents key');
});

test('lets a documents key in a file be rotated beside the database', async ({ open, dataDir }) => {
  const key = randomBytes(32);
  await open({ documentsKey: [key] });
  await writeFile(join(dataDir, 'documents.key'), `${key.toString('base64')}\n`);
  await open();
  await mkdir(join(dataDir, 'files'));
  await rotateDocumentsKey(undefined, dataDir);
  const [rotated] = await (await open()).documents();
  expect(rotated).not.toEqual(key);
});

test('refuses a node with a documents key of its own where the files are in a store, and knows a rotated one', async ({
  open,
  database,
  dataDir,
}) => {
  const s3 = {
    ...{ endpoint: 'http://127.0.0.1:1', bucket: 'files', region: 'us-east-1' },
    ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
  };
  const { documents, server, vapid } = await open({ s3 });
  const other = join(dataDir, 'other');
  const variables = { s3, dataDir: other, serverKey: server, vapidPrivateKey: vapid };
  await expect(open(variables)).rejects.toThrow('used with a key that is not here. Set DOCUMENTS_KEY');
  await mkdir(other);
  await writeFile(join(other, 'documents.key'), `${randomBytes(32).toString('base64')}\n`);
  await expect(open(variables)).rejects.toThrow('another documents key. Set DOCUMENTS_KEY');

  const store = memoryStore();
  const rotate = (folder: string) =>
    rotateDocumentsKey(undefined, folder, {
      store,
      isKept: async () => true,
      isDocument: () => true,
      noteKeys: (known) => noteDocumentsKeys({ database, dataDir: folder }, known),
    });
  await encryptedStore(store, documents).put('identity/a/b/original', Buffer.from('picture'));
  await expect(rotate(other)).rejects.toThrow('another documents key');
  expect(await rotate(dataDir)).toBe(1);
  const rotated = await open({ s3 });
  expect(String(await encryptedStore(store, rotated.documents).read('identity/a/b/original'))).toBe(
    'picture',
  );
});

test('of nodes that start together for the first time one decides', async ({ open }) => {
  const starts = await Promise.allSettled(
    Array.from({ length: 4 }, () => open({ serverKey: randomBytes(32) })),
  );
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
