import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKeyring } from './documents-key.ts';
import { encryptedStore, FileTampered } from './encrypted.ts';
import { openFolderStore } from './folder.ts';
import { FileNotFound, type FileStore } from './store.ts';

let folder: string;
let store: FileStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tara-files-'));
  store = await openFolderStore(join(folder, 'files'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const masterKey = Buffer.alloc(32, 1);

describe.each([
  ['a folder', () => store],
  ['an encrypted folder', () => encryptedStore(store, masterKey)],
])('%s', (_name, open) => {
  it('gives back what it was given, whole and in part, and replaces it', async () => {
    const files = open();
    await files.put('posts/a1/original.jpg', Buffer.from('0123456789'));
    await files.put('posts/a1/original.jpg', Readable.from([Buffer.from('abcde'), Buffer.from('fghij')]));
    expect((await files.read('posts/a1/original.jpg')).toString()).toBe('abcdefghij');
    expect((await files.read('posts/a1/original.jpg', { start: 2, end: 4 })).toString()).toBe('cde');
    expect(await files.exists('posts/a1/original.jpg')).toBe(true);
  });

  it('reads nothing after a deletion, and deleting twice is no error', async () => {
    const files = open();
    await files.put('a', Buffer.from('x'));
    await files.delete('a');
    await files.delete('a');
    expect(await files.exists('a')).toBe(false);
    await expect(files.read('a')).rejects.toThrow(FileNotFound);
    await expect(files.read('a', { start: 0, end: 1 })).rejects.toThrow(FileNotFound);
  });

  it.each(['', '/a', '../a', 'a/../b', 'a//b', 'a/', '.a', 'a\0b', 'a\\b', 'é', 'a'.repeat(201)])(
    'refuses the key %j',
    async (key) => {
      await expect(async () => open().put(key, Buffer.from('x'))).rejects.toThrow(RangeError);
      await expect(async () => open().read(key)).rejects.toThrow(RangeError);
    },
  );
});

it('keeps neither a half-written file nor its remains', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('the client went away');
    })(),
  );
  await expect(store.put('a', broken)).rejects.toThrow('the client went away');
  expect(await store.exists('a')).toBe(false);
  expect(await readdir(join(folder, 'files/incoming'))).toEqual([]);
});

describe('encryption', () => {
  const plain = Buffer.from('a passport, in the clear');

  it('leaves nothing readable in the folder, and no two files alike', async () => {
    const files = encryptedStore(store, masterKey);
    await files.put('one', plain);
    await files.put('two', plain);
    const [one, two] = [await store.read('one'), await store.read('two')];
    expect(one.includes('passport')).toBe(false);
    expect(one.equals(two)).toBe(false);
  });

  it('notices every changed byte and every cut', async () => {
    const files = encryptedStore(store, masterKey);
    await files.put('one', plain);
    const sealed = await store.read('one');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      await store.put('one', changed);
      await expect(files.read('one'), `byte ${index}`).rejects.toThrow(FileTampered);
    }
    for (const length of [0, 3, 40, sealed.length - 1]) {
      await store.put('one', sealed.subarray(0, length));
      await expect(files.read('one')).rejects.toThrow(FileTampered);
    }
  });

  it('notices an exchanged file and another key', async () => {
    const files = encryptedStore(store, masterKey);
    await files.put('one', plain);
    await store.put('two', await store.read('one'));
    await expect(files.read('two')).rejects.toThrow(FileTampered);
    await expect(encryptedStore(store, randomBytes(32)).read('one')).rejects.toThrow(FileTampered);
  });
});

describe('the documents key', () => {
  it('is made once, private, and the same at the next start', async () => {
    const keys = await Promise.all([0, 1].map(async () => (await openKeyring(undefined, folder))()));
    expect(keys[0]).toEqual([expect.any(Buffer)]);
    expect(keys[1]).toEqual(keys[0]);
    expect((await stat(join(folder, 'documents.key'))).mode & 0o777).toBe(0o600);
    expect(await (await openKeyring([masterKey], folder))()).toEqual([masterKey]);
  });

  it('is never replaced, even when it is damaged', async () => {
    await writeFile(join(folder, 'documents.key'), 'damaged');
    await expect(openKeyring(undefined, folder)).rejects.toThrow('restore it from a backup');
  });
});
