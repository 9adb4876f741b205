import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { violatedConstraint } from '../../platform/database/constraint.ts';
import type { FileStore } from '../../platform/files/store.ts';
import { MemoryCache } from '../../platform/memory-cache.ts';
import type { Platform } from '../../platform/platform.ts';
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

const isOwnFile = ({ id, bucket, ownerAccountId }: OwnFile): SQL | undefined =>
  and(
    inArray(files.id, [id, ownFileId(ownerAccountId, id)]),
    eq(files.bucket, bucket),
    eq(files.ownerAccountId, ownerAccountId),
  );

/** Files that records gave up here within the last hour, and own files that went with them on any node; a restart forgets them. */
const recent = { max: 50_000, ttl: 3600_000 };
const released = new MemoryCache<string, true>(recent);
const removed = new MemoryCache<string, true>(recent);
const keyOf = ({ id, bucket, ownerAccountId }: Record<keyof OwnFile, string>) =>
  `${ownerAccountId} ${bucket} ${id}`;

/** Whether one's own file went, or is about to go, with the record that used it: apps delete it once more. */
export async function isGivenUp(database: Database, file: OwnFile): Promise<boolean> {
  if (removed.has(keyOf(file))) return true;
  const [row] = await database.select({ id: files.id }).from(files).where(isOwnFile(file));
  if (row === undefined) return false;
  // Given up on another node, which does not say so: the removal waits.
  return released.has(row.id) || tasks.removeFile.isQueued(database, row);
}

/** Notes which files went with their records on other nodes. */
export function watchRemoved({ bus }: Pick<Platform, 'bus'>): void {
  bus.subscribe('fileRemoved', ({ ids, ...file }) => {
    for (const id of ids) removed.set(keyOf({ ...file, id }), true);
  });
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

/** Removes a file that its record gave up, and announces that it is gone. */
export async function removeReleased(
  context: Pick<Platform, 'database' | 'files' | 'bus'>,
  id: string,
): Promise<void> {
  const gone = await removeFile(context, id, false);
  if (!gone || gone.ownerAccountId === null) return;
  const { bucket, ownerAccountId, chosenId } = gone;
  const ids = chosenId === null ? [gone.id] : [gone.id, chosenId];
  context.bus.publish('fileRemoved', { ids, bucket, ownerAccountId });
}

/**
 * Removes one file, row and bytes together. Does nothing while a record refers to it; can be repeated.
 * @returns the row, if it went now
 */
export async function removeFile(
  { database, files: store }: { database: Database; files: FileStore },
  id: string,
  onlyUnused: boolean,
): Promise<FileRow | undefined> {
  try {
    const { row, keys } = await database.transaction(async (transaction) => {
      const condition = onlyUnused ? isNull(files.usedAt) : undefined;
      const [gone] = await transaction
        .delete(files)
        .where(and(eq(files.id, id), condition))
        .returning();
      if (gone === undefined) return { row: gone, keys: [] };
      const { bucket, ownerAccountId, chosenId } = gone;
      if (ownerAccountId !== null && released.has(gone.id)) {
        for (const own of [gone.id, chosenId])
          if (own !== null) removed.set(keyOf({ id: own, bucket, ownerAccountId }), true);
      }
      return { row: gone, keys: await dropObjects(transaction, fileKeys(gone)) };
    });
    await removeDropped({ database, files: store }, keys);
    return row;
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error;
    return undefined;
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
      .where(and(isOwnFile(upload), isNull(files.usedAt)))
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
