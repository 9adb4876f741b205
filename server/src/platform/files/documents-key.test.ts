import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKeyring, RotationRefused, rotateDocumentsKey } from './documents-key.ts';
import { encryptedStore, FileTampered } from './encrypted.ts';
import { openFolderStore } from './folder.ts';
import type { FileStore } from './store.ts';

const admin = resolve(import.meta.dirname, '../../admin.ts');
let dataDir: string;
let files: FileStore;
let documents: FileStore;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tara-keys-'));
  files = await openFolderStore(join(dataDir, 'files'));
  documents = encryptedStore(files, await openKeyring(undefined, dataDir));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const content = (index: number) => Buffer.from(`identity of member ${index}`);
const keyOf = (index: number) => `file${index}/original`;
async function putDocuments(from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) await documents.put(keyOf(index), content(index));
}
async function expectAllReadable(count: number, store = documents): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    expect((await store.read(keyOf(index))).equals(content(index))).toBe(true);
  }
}
const storedKeys = async () => {
  const lines = (await readFile(join(dataDir, 'documents.key'), 'utf8')).trim().split('\n');
  return lines.map((line) => Buffer.from(line, 'base64'));
};
const firstKey = async () => (await storedKeys())[0] ?? expect.unreachable('no key');

describe('rotating the documents key', () => {
  it('makes the old key useless, while a running store continues', async () => {
    await putDocuments(0, 5);
    await files.put('images/1/640.webp', Buffer.from('no document'));
    const old = await firstKey();
    expect(await rotateDocumentsKey(undefined, dataDir)).toBe(5);
    const keys = await storedKeys();
    expect(keys).toHaveLength(1);
    expect(keys[0]?.equals(old)).toBe(false);
    expect((await stat(join(dataDir, 'documents.key'))).mode & 0o777).toBe(0o600);
    await expect(encryptedStore(files, old).read(keyOf(0))).rejects.toThrow(FileTampered);
    await expectAllReadable(5, encryptedStore(files, await firstKey()));
    await expectAllReadable(5);
    expect((await files.read('images/1/640.webp')).toString()).toBe('no document');
  });

  it('loses no upload of the meantime', async () => {
    await putDocuments(0, 20);
    const old = await firstKey();
    await Promise.all([rotateDocumentsKey(undefined, dataDir), putDocuments(20, 40)]);
    await expectAllReadable(40, encryptedStore(files, await firstKey()));
    await expect(encryptedStore(files, old).read(keyOf(39))).rejects.toThrow(FileTampered);
  });

  it('loses no upload that chose its key before a whole rotation and was stored after it (threat-identity-documents)', async () => {
    await putDocuments(0, 1);
    let rotated = false;
    const slow: FileStore = {
      ...files,
      put: async (key, bytes) => {
        if (!rotated) await rotateDocumentsKey(undefined, dataDir);
        rotated = true;
        await files.put(key, bytes);
      },
    };
    await encryptedStore(slow, await openKeyring(undefined, dataDir)).put(keyOf(1), content(1));
    await expectAllReadable(2, encryptedStore(files, await firstKey()));
  });

  it('loses nothing by kill -9 during a run, and continues at the next one (threat-identity-documents)', async () => {
    const count = 120;
    await putDocuments(0, count);
    const old = await firstKey();
    const child = spawn(process.execPath, [admin, 'documents-key', 'rotate'], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    // Both keys are stored before the first file changes: from then on it is in the midst of its work.
    await expect.poll(async () => (await storedKeys()).length, { timeout: 60_000, interval: 1 }).toBe(2);
    child.kill('SIGKILL');
    await ended;
    await expectAllReadable(count);
    const [next] = await storedKeys();
    expect(await rotateDocumentsKey(undefined, dataDir)).toBeLessThanOrEqual(count);
    expect(await storedKeys()).toEqual([next]);
    await expectAllReadable(count);
    await expect(encryptedStore(files, old).read(keyOf(0))).rejects.toThrow(FileTampered);
  }, 60_000);

  it('keeps every key when a file opens with none of them, and names it', async () => {
    await putDocuments(0, 2);
    await encryptedStore(files, randomBytes(32)).put('foreign/original', content(9));
    await expect(rotateDocumentsKey(undefined, dataDir)).rejects.toThrow(/foreign\/original/);
    expect(await storedKeys()).toHaveLength(2);
    await expectAllReadable(2);
  });

  it('does not bring back a document that was deleted', async () => {
    await putDocuments(0, 10);
    await Promise.all([rotateDocumentsKey(undefined, dataDir), documents.delete(keyOf(7))]);
    expect(await documents.exists(keyOf(7))).toBe(false);
  });

  it('takes the first of two configured keys as the new one, and refuses a single one', async () => {
    const [old, next] = [randomBytes(32), randomBytes(32)];
    await encryptedStore(files, old).put(keyOf(0), content(0));
    await expect(rotateDocumentsKey([old], dataDir)).rejects.toThrow(RotationRefused);
    const before = await readFile(join(dataDir, 'documents.key'), 'utf8');
    expect(await rotateDocumentsKey([next, old], dataDir)).toBe(1);
    expect(await rotateDocumentsKey([next, old], dataDir)).toBe(0);
    await expectAllReadable(1, encryptedStore(files, next));
    expect(await readFile(join(dataDir, 'documents.key'), 'utf8')).toBe(before);
  });

  it('is refused where Tara never ran', async () => {
    await rm(join(dataDir, 'documents.key'));
    await expect(rotateDocumentsKey(undefined, dataDir)).rejects.toThrow(/start Tara once/);
  });
});
