import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { violatedConstraint } from '../../platform/database/constraint.ts';
import type { FileStore } from '../../platform/files/store.ts';
import { tasks } from '../../platform/tasks.ts';
import { dropObjects, fileKeys, removeDropped } from './objects.ts';
import { type FileRow, ownFileId } from './read.ts';
import { files } from './tables.ts';

/** One's own file, by the id that its owner knows it by. */
interface OwnFile {
  id: string;
  bucket: FileRow['bucket'];
  ownerAccountId: string;
}

const isOwn = ({ id, bucket, ownerAccountId }: OwnFile): SQL | undefined =>
  and(
    inArray(files.id, [id, ownFileId(ownerAccountId, id)]),
    eq(files.bucket, bucket),
    eq(files.ownerAccountId, ownerAccountId),
  );

/** Files that records gave up within the last hour, and own files that went with them; a restart forgets them. */
const recent = { max: 50_000, ttl: 3600_000 };
const released = new LRUCache<string, true>(recent);
const removed = new LRUCache<string, true>(recent);
const keyOf = ({ id, bucket, ownerAccountId }: OwnFile) => `${ownerAccountId} ${bucket} ${id}`;

/** Whether one's own file went, or is about to go, with the record that used it: apps delete it once more. */
export async function isGivenUp(database: Database, file: OwnFile): Promise<boolean> {
  if (removed.has(keyOf(file))) return true;
  const [row] = await database.select({ id: files.id }).from(files).where(isOwn(file));
  return row !== undefined && released.has(row.id);
}

/**
 * Gives a file up, in the transaction that ends its record's use of it. It is removed after the commit, unless another
 * record still refers to it (a profile picture that became a post, §3): then the last record that gives it up removes
 * it.
 */
export async function releaseFile(transaction: Transaction, id: string): Promise<void> {
  await tasks.removeFile.enqueue(transaction, { id });
  released.set(id, true);
}

/** Removes one file, row and bytes together. Does nothing while a record refers to it; can be repeated. */
export async function removeFile(
  { database, files: store }: { database: Database; files: FileStore },
  id: string,
  onlyUnused: boolean,
): Promise<void> {
  try {
    const keys = await database.transaction(async (transaction) => {
      const condition = onlyUnused ? isNull(files.usedAt) : undefined;
      const [gone] = await transaction
        .delete(files)
        .where(and(eq(files.id, id), condition))
        .returning();
      if (gone === undefined) return [];
      const { bucket, ownerAccountId, chosenId } = gone;
      if (ownerAccountId !== null && released.has(gone.id)) {
        for (const own of [gone.id, chosenId])
          if (own !== null) removed.set(keyOf({ id: own, bucket, ownerAccountId }), true);
      }
      return dropObjects(transaction, fileKeys(gone));
    });
    await removeDropped({ database, files: store }, keys);
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error;
  }
}

/** Deletes one's own upload while nothing uses it. Returns what it was, if there was one. */
export async function removeUpload(
  { database, files: store }: { database: Database; files: FileStore },
  upload: OwnFile,
): Promise<FileRow | undefined> {
  const { gone, keys } = await database.transaction(async (transaction) => {
    const [row] = await transaction
      .delete(files)
      .where(and(isOwn(upload), isNull(files.usedAt)))
      .returning();
    return { gone: row, keys: row === undefined ? [] : await dropObjects(transaction, fileKeys(row)) };
  });
  await removeDropped({ database, files: store }, keys);
  return gone;
}

/** Removes files of an account that no record refers to any more, at most `limit`; returns how many. */
export async function removeOwnFiles(
  platform: { database: Database; files: FileStore },
  accountId: string,
  limit: number,
): Promise<number> {
  const own = eq(files.ownerAccountId, accountId);
  const rows = await platform.database.select({ id: files.id }).from(files).where(own).limit(limit);
  const before = await platform.database.$count(files, own);
  for (const { id } of rows) await removeFile(platform, id, false);
  return before - (await platform.database.$count(files, own));
}
