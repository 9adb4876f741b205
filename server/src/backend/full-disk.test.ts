import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { expect } from 'vitest';
import { files } from '../features/files/index.ts';
import { openFolderStore } from '../platform/files/folder.ts';
import { insertMember, type Member } from '../testing/members.ts';
import { type TestServer, testServer } from '../testing/server.ts';
import { test as base } from '../testing/test.ts';
import { storageRoutes } from './storage.ts';

const run = promisify(execFile);

/** Mounts a disk of 64 MB in memory; null, or why there is none on this machine. */
async function mountDisk(folder: string): Promise<string | null> {
  if (process.platform !== 'linux') return 'a disk in memory (tmpfs) needs Linux';
  if (process.getuid?.() !== 0) return 'mounting a disk in memory needs root';
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]);
    return null;
  } catch (error) {
    // Root on the build machine: there the test must run.
    if (process.env.CI === 'true') throw error;
    return `a disk in memory cannot be mounted: ${String(error)}`;
  }
}

const test = base.extend('disk', { scope: 'file' }, async ({ environment: _ }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-full-disk-'));
  const missing = await mountDisk(folder);
  onCleanup(async () => {
    if (missing === null) await run('umount', [folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return { folder, missing };
});

/** Leaves so many bytes of the disk. */
async function fillDisk(folder: string, bytesLeft: number): Promise<void> {
  await rm(join(folder, 'filler'), { force: true });
  const { bavail, bsize } = await statfs(folder);
  await writeFile(join(folder, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - bytesLeft)));
}

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

test('answers 507, leaves nothing of the upload, and takes uploads again when there is room', async ({
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
    await fillDisk(folder, bytesLeft);
    const refused = await upload(server, ana, picture, 'images');
    expect(refused).toMatchObject({ status: 507, body: { type: 'general_storage_full' } });
    expect(await stored(folder)).toEqual(storedBefore);
  }
  await fillDisk(folder, original / 2);
  expect((await upload(server, ana, picture, 'verificationFiles')).status).toBe(507);
  expect(await database.$count(files, eq(files.ownerAccountId, ana.accountId))).toBe(1);
  const shown = await server.request(ana, { url: `/v1/storage/buckets/images/files/${before.$id}/view` });
  expect(shown.statusCode).toBe(200);

  await rm(join(folder, 'filler'));
  expect((await upload(server, ana, picture, 'images')).status).toBe(201);
  expect((await upload(server, ana, picture, 'verificationFiles')).status).toBe(201);
  await server.close();
});
