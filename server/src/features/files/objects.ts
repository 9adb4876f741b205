import type { BucketId } from '@tara/contract/files';
import { and, eq, gt, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { FileStore } from '../../platform/files/store.ts';
import { newId } from '../../platform/ids.ts';
import { files, objectRemovals, uploads } from './tables.ts';

/**
 * The objects of the store that belong to files and uploads. A row is committed after its objects are written, and objects are
 * removed after the commit that deletes their row; in between they are rows of `object_removals`, so that what a crash
 * leaves, or a store that is away, is removed later.
 */
interface ObjectContext {
  database: Database;
  files: FileStore;
}

type FileObjects = Pick<typeof files.$inferSelect, 'id' | 'path' | 'variants'>;

/** What begins the paths of identity pictures, which are never parked when no row refers to them. */
export const identityFolder = 'identity';

/** Whether an identity picture, or a part of one, can be under a key. */
export const mayBeIdentity = (key: string) => !/^(files|exports)\//.test(key);

/** A path for a new file, with its owner: what is left of a deleted account is recognized by it. */
export const newFilePath = (bucket: BucketId, ownerAccountId: string) =>
  `${bucket === 'verificationFiles' ? identityFolder : 'files'}/${ownerAccountId}/${newId()}`;

/** A path for the parts of a new upload. */
export const newPartsPath = (ownerAccountId: string) => `parts/${ownerAccountId}/${newId()}`;

/** Where the objects of a file are. */
export const objectPath = ({ id, path }: Pick<FileObjects, 'id' | 'path'>) => path ?? id;

/** Where the parts of an upload are. */
const partsPath = ({ id, path }: { id: string; path: string | null }) => path ?? `parts/${id}`;

/** Keys of a file's objects: the picture itself and its variants by width. */
export function fileKeys(file: FileObjects): string[] {
  const path = objectPath(file);
  return [`${path}/original`, ...file.variants.map((width) => `${path}/${width}`)];
}

/** Keys of parts of an upload, by their positions in the file. */
export const partKeys = (upload: { id: string; path: string | null }, indexes: readonly number[]) =>
  indexes.map((index) => `${partsPath(upload)}/${index}`);

/** Notes objects that are about to be written: without `claimObjects` they go a day later. */
export async function reserveObjects(database: Database, keys: readonly string[]): Promise<void> {
  const dueAt = sql`now() + interval '24 hours'`;
  await database
    .insert(objectRemovals)
    .values(keys.map((key) => ({ key, dueAt })))
    .onConflictDoUpdate({ target: objectRemovals.key, set: { dueAt } });
}

/** Keeps reserved objects, in the transaction of the row that refers to them. */
export async function claimObjects(transaction: Transaction, keys: readonly string[]): Promise<void> {
  await transaction.delete(objectRemovals).where(inArray(objectRemovals.key, [...keys]));
}

/** Gives objects up, in the transaction that deletes their row; returns the keys for `removeDropped`. */
export async function dropObjects(transaction: Transaction, keys: string[]): Promise<string[]> {
  const dueAt = sql`now()`;
  await transaction
    .insert(objectRemovals)
    .values(keys.map((key) => ({ key, dueAt })))
    .onConflictDoUpdate({ target: objectRemovals.key, set: { dueAt } });
  return keys;
}

/** Removes objects after the commit of `dropObjects`. What cannot be removed now is left to the job, which says so. */
export async function removeDropped(
  { database, files: store }: ObjectContext,
  keys: readonly string[],
): Promise<void> {
  const deletions = await Promise.allSettled(keys.map((key) => store.delete(key)));
  const deleted = keys.filter((_key, index) => deletions[index]?.status === 'fulfilled');
  if (deleted.length === 0) return;
  await database
    .delete(objectRemovals)
    .where(and(inArray(objectRemovals.key, deleted), lte(objectRemovals.dueAt, sql`now()`)))
    .catch(() => undefined);
}

/** Removes reserved objects whose row could not be committed; those of one that was committed after all stay. */
export async function discardReserved(context: ObjectContext, keys: readonly string[]): Promise<void> {
  const dropped = await context.database
    .update(objectRemovals)
    .set({ dueAt: sql`now()` })
    .where(inArray(objectRemovals.key, [...keys]))
    .returning({ key: objectRemovals.key })
    // The reservation ends by itself.
    .catch(() => []);
  await removeDropped(
    context,
    dropped.map(({ key }) => key),
  );
}

/** The part of a key before its last slash. */
const keyPath = (key: string): string => key.slice(0, Math.max(key.lastIndexOf('/'), 0));

/** Those of the keys that a file or an unfinished upload refers to. */
export async function findReferences(
  database: Database | Transaction,
  keys: readonly string[],
): Promise<Set<string>> {
  const paths = [...new Set(keys.map(keyPath))];
  const uploadIds = paths.flatMap((path) => (path.startsWith('parts/') ? [path.slice('parts/'.length)] : []));
  const fileRows = await database
    .select({ id: files.id, path: files.path, variants: files.variants })
    .from(files)
    .where(or(inArray(files.path, paths), and(inArray(files.id, paths), isNull(files.path))));
  const uploadRows = await database
    .select({ id: uploads.id, path: uploads.path })
    .from(uploads)
    .where(or(inArray(uploads.path, paths), and(inArray(uploads.id, uploadIds), isNull(uploads.path))));
  const fileObjects = new Set(fileRows.flatMap(fileKeys));
  const partPaths = new Set(uploadRows.map(partsPath));
  return new Set(keys.filter((key) => fileObjects.has(key) || partPaths.has(keyPath(key))));
}

/** Removes an object whose time has come, unless a row has come to refer to it, as one of a backup does. */
export async function removeDueObject({ database, files: store }: ObjectContext, key: string): Promise<void> {
  if (!(await findReferences(database, [key])).has(key)) await store.delete(key);
  await database
    .delete(objectRemovals)
    .where(and(eq(objectRemovals.key, key), lte(objectRemovals.dueAt, sql`now()`)));
}

/** Whether a record refers to an object, or one is about to. */
export async function isKept(database: Database, key: string): Promise<boolean> {
  const isReserved = await database.$count(
    objectRemovals,
    and(eq(objectRemovals.key, key), gt(objectRemovals.dueAt, sql`now()`)),
  );
  return isReserved > 0 || (await findReferences(database, [key])).has(key);
}

/** The SHA-256 of when they were stored, of those of the objects of which it is known; identity pictures are stored otherwise. */
export async function findChecksums(
  database: Database,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const paths = [...new Set(keys.map(keyPath))];
  const rows = await database
    .select()
    .from(files)
    .where(and(inArray(files.path, paths), ne(files.bucket, 'verificationFiles')));
  const checksums = new Map<string, string>();
  for (const row of rows) {
    for (const [index, key] of fileKeys(row).entries()) {
      const checksum = row.checksums[index];
      if (checksum !== undefined) checksums.set(key, checksum);
    }
  }
  return checksums;
}
