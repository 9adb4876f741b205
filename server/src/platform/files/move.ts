import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { safeMessage } from '../log-errors.ts';
import { FileNotFound, type FileStore, StoreAway, type StoredFile } from './store.ts';

/** What a move did. */
export interface Moved {
  copied: number;
  /** Proven by an earlier run of the same move, and the same since then. */
  proven: number;
  bytes: number;
  /** Files that were not copied, or that differ from what was stored, each with the reason. */
  failures: { key: string; reason: string }[];
}

interface MoveOptions {
  from: FileStore;
  to: FileStore;
  /** A file that notes what was proven, so that the next run of the move copies what is new alone. */
  journal: string;
  /** Names the two sides: the notes of another move do not count. */
  title: string;
  /** The SHA-256 of when they were stored, of those of the keys of which it is known. */
  findChecksums: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Bytes that are in memory of one file at once. */
const chunkSizeBytes = 8 * 1024 * 1024;
/** Files under way at once. */
const batchSize = 8;

/** The content of a file in pieces, which `hash` takes, too. */
async function* readChunks(
  store: FileStore,
  { key, sizeBytes }: StoredFile,
  hash: { update(chunk: Uint8Array): unknown },
): AsyncGenerator<Buffer> {
  for (let start = 0; start < sizeBytes; start += chunkSizeBytes) {
    const end = Math.min(start + chunkSizeBytes, sizeBytes) - 1;
    const chunk = sizeBytes <= chunkSizeBytes ? await store.read(key) : await store.read(key, { start, end });
    hash.update(chunk);
    yield chunk;
  }
}

async function hashFile(store: FileStore, file: StoredFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const _chunk of readChunks(store, file, hash));
  return hash.digest('hex');
}

/** Copies a file, reads it back, and returns its SHA-256. @throws Error when the copy differs */
async function copyFile(from: FileStore, to: FileStore, file: StoredFile): Promise<string> {
  const hash = createHash('sha256');
  const chunks = readChunks(from, file, hash);
  if (file.sizeBytes <= chunkSizeBytes) await to.put(file.key, await buffer(chunks));
  else await to.put(file.key, Readable.from(chunks, { objectMode: false }));
  const expected = hash.digest('hex');
  if ((await hashFile(to, file)) !== expected) throw new Error('the copy has another SHA-256');
  return expected;
}

/** The notes of an earlier run of the same move: what was proven, by key. */
async function readJournal(path: string, title: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [first, ...lines] = text.split('\n');
  // The last line may have been cut off.
  if (first !== title) return new Map();
  return new Map(
    lines.slice(0, -1).flatMap((line) => {
      const [key, checksum] = line.split(' ');
      return key !== undefined && checksum !== undefined ? [[key, checksum] as const] : [];
    }),
  );
}

async function openJournal(path: string, title: string, isContinued: boolean): Promise<FileHandle> {
  const journal = await open(path, isContinued ? 'a' : 'w', 0o600);
  // Also ends a line that was cut off.
  await journal.appendFile(isContinued ? '\n' : `${title}\n`);
  return journal;
}

/**
 * Copies every file into another store and proves each copy by reading it back. A single file that fails does not end it. What an
 * earlier run proved is compared with its notes, and with the size in the other store.
 * @throws StoreAway when a store does not answer; the next run goes on from there
 */
export async function moveFiles(options: MoveOptions): Promise<Moved> {
  const { from, to, journal: path, title, findChecksums } = options;
  const earlier = await readJournal(path, title);
  const arrived = new Map<string, number>();
  if (earlier.size > 0) for await (const { key, sizeBytes } of to.list()) arrived.set(key, sizeBytes);
  const journal = await openJournal(path, title, earlier.size > 0);
  const moved: Moved = { copied: 0, proven: 0, bytes: 0, failures: [] };

  async function move(file: StoredFile, stored: string | undefined): Promise<void> {
    const { key, sizeBytes } = file;
    try {
      const known = arrived.get(key) === sizeBytes ? earlier.get(key) : undefined;
      const isProven = known !== undefined && (await hashFile(from, file)) === known;
      const checksum = isProven ? known : await copyFile(from, to, file);
      if (isProven) moved.proven += 1;
      else {
        await journal.appendFile(`${key} ${checksum}\n`);
        moved.copied += 1;
        moved.bytes += sizeBytes;
      }
      if (stored !== undefined && stored !== checksum)
        moved.failures.push({ key, reason: 'it was damaged before: it is not what was stored once' });
    } catch (error) {
      // Away for this file alone, or for all.
      if (error instanceof StoreAway) for (const store of [from, to]) await store.exists('start/probe');
      if (error instanceof FileNotFound && !(await from.exists(key))) {
        // It was deleted meanwhile, and its copy must not stay.
        await to.delete(key);
        return;
      }
      moved.failures.push({ key, reason: safeMessage(error as Error) });
    }
  }
  async function moveBatch(batch: StoredFile[]): Promise<void> {
    const checksums = await findChecksums(batch.map(({ key }) => key));
    await Promise.all(batch.map((file) => move(file, checksums.get(file.key))));
  }

  try {
    let batch: StoredFile[] = [];
    for await (const file of from.list()) {
      batch.push(file);
      if (batch.length < batchSize) continue;
      await moveBatch(batch);
      batch = [];
    }
    await moveBatch(batch);
  } finally {
    await journal.close();
  }
  return moved;
}
