import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { expect } from 'vitest';
import { files } from '../../features/files/index.ts';
import { openFolderStore } from '../../platform/files/folder.ts';
import { smallDisk } from '../../testing/faults/small-disk.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { type TestServer, testServer } from '../../testing/server.ts';
import { test as base } from '../../testing/test.ts';
import { storageRoutes } from './storage.ts';

const test = base.extend('disk', { scope: 'file' }, async ({ environment: _ }, { onCleanup }) => {
  const disk = await smallDisk(64);
  onCleanup(() => disk.remove());
  return disk;
});

/** Names of the stored files, those half written among them. */
async function stored(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name !== 'filler').map((entry) => entry.name);
}

async function upload(server: TestServer, who: Member, bytes: Buffer, bucket: string) {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' }), 'a.jpg');
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const response = await server.request(who, {
    method: 'POST',
    url: `/v1/storage/buckets/${bucket}/files`,
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return { status: response.statusCode, body: response.json() };
}

test('answers 507, leaves nothing of the upload, and takes uploads again when there is room (threat-lost-data)', async ({
  skip,
  disk,
  database,
  platform: memory,
}) => {
  const { folder, missing } = disk;
  if (missing !== null) skip(`Not tried on this machine: ${missing}.`);
  const platform = { ...memory, files: await openFolderStore(folder) };
  const server = await testServer(platform, (app) => storageRoutes(app, platform, randomBytes(32)));
  const ana = await insertMember(database);
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'gray', noise } })
    .jpeg()
    .toBuffer();
  const { status, body: before } = await upload(server, ana, picture, 'images');
  expect(status).toBe(201);
  const storedBefore = await stored(folder);
  const original = (await server.request(ana, { url: `/v1/storage/buckets/images/files/${before.$id}/view` }))
    .rawPayload.length;

  // Full from the start, and full at the first or a later file of the picture.
  for (const bytesLeft of [0, original / 2, original + 10_000, original + 60_000]) {
    await disk.fill(bytesLeft);
    const refused = await upload(server, ana, picture, 'images');
    expect(refused).toMatchObject({ status: 507, body: { type: 'general_storage_full' } });
    expect(await stored(folder)).toEqual(storedBefore);
  }
  await disk.fill(original / 2);
  expect((await upload(server, ana, picture, 'verificationFiles')).status).toBe(507);
  expect(await database.$count(files, eq(files.ownerAccountId, ana.accountId))).toBe(1);
  const shown = await server.request(ana, { url: `/v1/storage/buckets/images/files/${before.$id}/view` });
  expect(shown.statusCode).toBe(200);

  await disk.empty();
  expect((await upload(server, ana, picture, 'images')).status).toBe(201);
  expect((await upload(server, ana, picture, 'verificationFiles')).status).toBe(201);
  await server.close();
});
