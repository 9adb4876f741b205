import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MemoryStore, memoryStore } from '../../testing/faults/memory-store.ts';
import { sha256 } from './checksum.ts';
import { moveFiles } from './move.ts';
import { StoreAway } from './store.ts';

let folder: string;
let from: MemoryStore;
let to: MemoryStore & { puts: string[] };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tara-move-'));
  from = memoryStore();
  const target = memoryStore();
  const puts: string[] = [];
  to = {
    ...target,
    puts,
    put: async (key, content) => {
      puts.push(key);
      await target.put(key, content);
    },
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const keys = Array.from({ length: 20 }, (_, index) => `files/ana/${index}/original`);
const fill = () => Promise.all(keys.map((key) => from.put(key, Buffer.from(`content of ${key}`))));
const move = (options: Partial<Parameters<typeof moveFiles>[0]> = {}) =>
  moveFiles({
    ...{ from, to, journal: join(folder, 'files-move'), title: 'from folder' },
    findChecksums: async () => new Map(),
    ...options,
  });

it('copies every file, small, empty and large, and in a second run what is new alone', async () => {
  await fill();
  const large = randomBytes(20 * 1024 * 1024 + 1);
  await from.put('exports/large', large);
  await from.put('files/ana/empty/original', Buffer.alloc(0));
  expect(await move()).toMatchObject({ copied: 22, proven: 0, failures: [] });
  expect(to.keys()).toEqual(from.keys());
  expect((await to.read('exports/large')).equals(large)).toBe(true);
  await from.put('files/ana/new/original', Buffer.from('new'));
  // It is gone, or another one, in the other store.
  const [gone = '', other = ''] = keys;
  await to.delete(gone);
  await to.put(other, Buffer.from('cut off'));
  expect(await move()).toMatchObject({ copied: 3, proven: 20, failures: [] });
  for (const key of [gone, other]) expect(await to.read(key)).toEqual(await from.read(key));
});

it('goes on where a run ended, copies anew what changed since, and trusts no notes of another move', async () => {
  await fill();
  const leaving = {
    ...to,
    put: async (key: string, content: Parameters<typeof to.put>[1]) => {
      if (to.puts.length >= 12) throw new StoreAway('away');
      await to.put(key, content);
    },
    exists: async () => {
      throw new StoreAway('away');
    },
  };
  const end = (title: string) => expect(move({ to: leaving, title })).rejects.toThrow(StoreAway);
  await end('from folder');
  const [changed = '', ...proven] = to.puts.splice(0);
  expect(proven).toHaveLength(11);
  // The last line is cut off.
  await appendFile(join(folder, 'files-move'), `${keys.at(-1)} 12`);
  await from.put(changed, Buffer.from('another content'));
  expect(await move()).toMatchObject({ copied: 9, proven: 11, failures: [] });
  expect(to.puts).not.toEqual(expect.arrayContaining([proven[0]]));
  expect(String(await to.read(changed))).toBe('another content');

  to.puts.length = 0;
  await end('to another store');
  expect(await move({ title: 'from store' })).toMatchObject({ copied: 20, proven: 0 });
});

it('leaves no copy of a file that is deleted while it is copied', async () => {
  await fill();
  const [deleted = '', late = ''] = keys;
  const shrinking = {
    ...from,
    read: async (key: string) => {
      if (key === deleted) await from.delete(key);
      return from.read(key);
    },
  };
  const slow = {
    ...to,
    put: async (key: string, content: Parameters<typeof to.put>[1]) => {
      await to.put(key, content);
      if (key === late) for (const store of [from, to]) await store.delete(key);
    },
  };
  expect(await move({ from: shrinking, to: slow })).toMatchObject({ copied: 18, failures: [] });
  expect(to.keys()).toEqual(keys.slice(2).sort());
});

it('reports a copy that differs and a file that was damaged before, and moves the others', async () => {
  await fill();
  const [bad = '', damaged = '', fine = ''] = keys;
  const lossy = {
    ...to,
    read: async (key: string, range?: { start: number; end: number }) =>
      key === bad ? Buffer.from('cut off') : to.read(key, range),
  };
  const findChecksums = async () =>
    new Map([
      [damaged, sha256(Buffer.from('what it was'))],
      [fine, sha256(Buffer.from(`content of ${fine}`))],
    ]);
  const { copied, failures } = await move({ to: lossy, findChecksums });
  expect(copied).toBe(19);
  expect(failures.sort((a, b) => a.key.localeCompare(b.key))).toEqual([
    { key: bad, reason: 'the copy has another SHA-256' },
    { key: damaged, reason: expect.stringContaining('damaged before') },
  ]);
  // The next run tries what failed alone.
  to.puts.length = 0;
  expect(await move()).toMatchObject({ copied: 1, proven: 19, failures: [] });
  expect(to.puts).toEqual([bad]);
});
