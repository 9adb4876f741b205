import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import type { FileStore } from '../../platform/files/store.ts';
import { openImages } from '../../platform/images/queue.ts';
import { memoryStore } from '../../testing/faults/memory-store.ts';
import { insertMember } from '../../testing/features/members.ts';
import { pictureBytes } from '../../testing/features/pictures.ts';
import { test } from '../../testing/test.ts';
import { files } from './tables.ts';
import { storeUpload } from './upload.ts';

test('an upload of which one version cannot be stored leaves no file, also of versions that are stored later', async ({
  database,
  onTestFinished,
}) => {
  const images = openImages({ rateLimits: false });
  onTestFinished(() => images.close());
  const member = await insertMember(database);
  const stored = new Set<string>();
  const puts: Promise<void>[] = [];
  const slowly = async (key: string) => {
    await delay(100);
    stored.add(key);
  };
  const store: FileStore = {
    ...memoryStore(),
    put(key) {
      if (key.endsWith('/original')) return Promise.reject(new Error('the disk failed'));
      const put = slowly(key);
      puts.push(put);
      return put;
    },
    delete: async (key) => void stored.delete(key),
    read: () => Promise.reject(new Error('nothing is read')),
    exists: async () => false,
  };
  const upload = storeUpload(
    { database, files: store, documents: store, images },
    {
      ownerAccountId: member.accountId,
      bucket: 'images',
      name: 'a.jpg',
      chunks: [await pictureBytes({ width: 1200, height: 800 })],
      ip: '203.0.113.9',
    },
  );
  await expect(upload).rejects.toThrow('the disk failed');
  await Promise.all(puts);
  expect(puts.length).toBeGreaterThan(1);
  expect(stored).toEqual(new Set());
  expect(await database.$count(files, eq(files.ownerAccountId, member.accountId))).toBe(0);
});
