import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chown, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lockFolder } from '../database/folder-lock.ts';
import { isMissing } from '../error-code.ts';
import { keyFile } from '../key-file.ts';
import { StartRefused } from '../start-refused.ts';
import { headerLength, type Keyring, rewrapHeader } from './encrypted.ts';
import { folderFiles } from './folder.ts';
import { FileNotFound, type FileStore } from './store.ts';

/**
 * Wraps the keys of encrypted files again, in place: a header lies in a file's first sector, which a disk writes as a
 * whole, and a file that is deleted meanwhile does not come back. Files that are not encrypted stay as they are.
 * @param folder of `openFolderStore`.
 */
async function rewrapFiles(
  folder: string,
  current: Buffer,
  older: readonly Buffer[],
): Promise<{ changed: number; unreadable: string[] }> {
  let changed = 0;
  const unreadable: string[] = [];
  for await (const { path, key } of folderFiles(folder)) {
    const handle = await open(path, constants.O_RDWR).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (!handle) continue;
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerLength), 0, headerLength, 0);
      const header = rewrapHeader(buffer.subarray(0, bytesRead), key, current, older);
      if (header === 'unreadable') unreadable.push(key);
      if (!(header instanceof Buffer)) continue;
      await handle.write(header, 0, header.length, 0);
      await handle.sync();
      changed += 1;
    } finally {
      await handle.close();
    }
  }
  return { changed, unreadable };
}

/** Documents in an S3 store, where nothing is changed in place. */
export interface StoredDocuments {
  store: FileStore;
  /** Whether a record refers to a file, or one is about to: one that was deleted while it was written again must not come back. */
  isKept: (key: string) => Promise<boolean>;
  /** Whether a document can be under a key: the others are not read. */
  isDocument: (key: string) => boolean;
  /** Stores which keys there are before the first document changes. @throws StartRefused when they are not those of this Tara */
  noteKeys: (keys: readonly Buffer[]) => Promise<void>;
}

/** As `rewrapFiles`, in an S3 store: a file is written again as a whole. */
async function rewrapObjects(
  { store, isKept, isDocument }: StoredDocuments,
  current: Buffer,
  older: readonly Buffer[],
): Promise<{ changed: number; unreadable: string[] }> {
  let changed = 0;
  const unreadable: string[] = [];
  for await (const { key, sizeBytes } of store.list()) {
    if (sizeBytes < headerLength || !isDocument(key)) continue;
    try {
      const head = await store.read(key, { start: 0, end: headerLength - 1 });
      const header = rewrapHeader(head, key, current, older);
      if (header === 'unreadable') unreadable.push(key);
      if (!(header instanceof Buffer)) continue;
      const whole = await store.read(key);
      await store.put(key, Buffer.concat([header, whole.subarray(headerLength)]));
      if (!(await isKept(key))) await store.delete(key);
      changed += 1;
    } catch (error) {
      if (!(error instanceof FileNotFound)) throw error;
    }
  }
  return { changed, unreadable };
}

/** The keys of documents cannot be rotated now; the message says why and what to do. */
export class RotationRefused extends Error {
  override readonly name = 'RotationRefused';
}

const fileName = 'documents.key';

/** The configured keys, or those of `dataDir/documents.key`, which is made at the first start. */
export async function openKeyring(
  configured: readonly Buffer[] | undefined,
  dataDir: string,
): Promise<Keyring> {
  if (configured) {
    const keys = withFirst(configured, 'DOCUMENTS_KEY');
    return async () => keys;
  }
  const path = join(dataDir, fileName);
  await readKeys(path).catch((error: unknown) => {
    if (isMissing(error)) return keyFile(dataDir, fileName);
    throw error;
  });
  return () => readKeys(path);
}

function withFirst(keys: readonly Buffer[], place: string): readonly [Buffer, ...Buffer[]] {
  const [first, ...older] = keys;
  if (!first || keys.some((key) => key.length !== 32)) {
    throw new StartRefused(`${place} does not hold 32 bytes in base64; restore it from a backup.`);
  }
  return [first, ...older];
}

async function readKeys(path: string): Promise<readonly [Buffer, ...Buffer[]]> {
  const lines = (await readFile(path, 'utf8')).trim().split(/\s+/);
  return withFirst(
    lines.map((line) => Buffer.from(line, 'base64')),
    path,
  );
}

/** Replaces the file by a whole new one, of the same owner: a crash leaves the old keys or the new ones. */
async function writeKeys(path: string, keys: readonly Buffer[]): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(aside, 'wx', 0o600);
    try {
      await handle.writeFile(`${keys.map((key) => key.toString('base64')).join('\n')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(path);
      await chown(aside, uid, gid);
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  if (process.platform === 'win32') return; // Windows opens no folders, and keeps names by itself.
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

/**
 * Encrypts the key of every document with a new key, beside a running server. Both keys are known until every file is
 * done, so a crash loses nothing and the next run goes on where this one ended.
 * @param configured the keys of DOCUMENTS_KEY: the first one is the new one, and nothing is written but the files.
 * @param stored where the documents are in an S3 store; without, they are in the folder of the files.
 * @returns how many files changed.
 * @throws RotationRefused
 */
export async function rotateDocumentsKey(
  configured: readonly Buffer[] | undefined,
  dataDir: string,
  stored?: StoredDocuments,
): Promise<number> {
  if (configured?.length === 1) {
    throw new RotationRefused(
      'DOCUMENTS_KEY holds one key. Make another (openssl rand -base64 32), restart the server with DOCUMENTS_KEY=NEW,OLD, run this with the same value, and then restart with DOCUMENTS_KEY=NEW.',
    );
  }
  const path = join(dataDir, fileName);
  const lock = lockFolder(join(dataDir, 'documents-rotation'));
  try {
    const keys = configured ?? (await beginRotation(path));
    const [current, ...older] = withFirst(keys, 'DOCUMENTS_KEY');
    await stored?.noteKeys(keys);
    let total = 0;
    // Until a whole round finds nothing: files of uploads that were under way come during the one before.
    for (let changed = 1; changed > 0; total += changed) {
      const round = stored
        ? await rewrapObjects(stored, current, older)
        : await rewrapFiles(join(dataDir, 'files'), current, older);
      if (round.unreadable.length > 0) {
        throw new RotationRefused(
          `${round.unreadable.length} files open with none of the known keys, and the old keys stay: ${round.unreadable.slice(0, 5).join(', ')}.`,
        );
      }
      changed = round.changed;
    }
    if (!configured) await writeKeys(path, [current]);
    return total;
  } finally {
    lock.release();
  }
}

/** The new key and the old ones, stored before any file changes; those of an unfinished rotation as they are. */
async function beginRotation(path: string): Promise<readonly Buffer[]> {
  const stored = await readKeys(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new RotationRefused(
      `There is no ${path}: start Tara once, or give the DOCUMENTS_KEY it runs with.`,
    );
  });
  if (stored.length > 1) return stored;
  const keys = [randomBytes(32), ...stored];
  await writeKeys(path, keys);
  return keys;
}
