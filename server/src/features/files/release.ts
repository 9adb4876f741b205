import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { violatedConstraint } from '../../platform/database/constraint.ts';
import type { FileStore } from '../../platform/files/store.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Task } from '../../platform/jobs/start.ts';
import type { Platform } from '../../platform/platform.ts';
import { ownFileId } from './own-id.ts';
import { files } from './tables.ts';

/** Hours after which an upload that nothing uses is removed. */
const unusedHours = 24;
/** Most files of one job, so that it stays short. */
const sweepSize = 500;

const Removal = z.object({ id: z.string() });

/** Names of the stored bytes: the picture itself and its variants by width. */
export function keysOf(file: { id: string; variants: number[] }): string[] {
  return [`${file.id}/original`, ...file.variants.map((width) => `${file.id}/${width}`)];
}

/**
 * Gives a file up, in the transaction that ends its record's use of it. It is removed after the commit, unless another
 * record still refers to it (a profile picture that became a post, §3): then whoever gives it up last removes it.
 */
export async function releaseFile(transaction: Transaction, id: string): Promise<void> {
  await enqueue(transaction, 'files.remove', { id });
}

/** Removes one file, row and bytes together. Does nothing while a record refers to it; bears being repeated. */
async function removeFile(
  { database, files: store }: { database: Database; files: FileStore },
  id: string,
  onlyUnused: boolean,
): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      const condition = onlyUnused ? isNull(files.usedAt) : undefined;
      const [gone] = await transaction
        .delete(files)
        .where(and(eq(files.id, id), condition))
        .returning({ id: files.id, variants: files.variants });
      // The bytes go before the commit: when the process dies in between, the row is there and the job comes again.
      if (gone) for (const key of keysOf(gone)) await store.delete(key);
    });
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error;
  }
}

/** Deletes one's own upload while nothing uses it. Answers whether there was one. */
export async function removeUpload(
  { database, files: store }: { database: Database; files: FileStore },
  upload: { id: string; bucket: typeof files.$inferSelect.bucket; ownerAccountId: string },
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const [gone] = await transaction
      .delete(files)
      .where(
        and(
          inArray(files.id, [upload.id, ownFileId(upload.ownerAccountId, upload.id)]),
          eq(files.bucket, upload.bucket),
          eq(files.ownerAccountId, upload.ownerAccountId),
          isNull(files.usedAt),
        ),
      )
      .returning({ id: files.id, variants: files.variants });
    if (gone) for (const key of keysOf(gone)) await store.delete(key);
    return gone !== undefined;
  });
}

/** Jobs of this feature. `files.sweep` is meant to run every hour. */
export const fileTasks = (
  platform: Pick<Platform, 'database' | 'files'>,
): Record<'files.remove' | 'files.sweep', Task> => ({
  'files.remove': async (payload) => removeFile(platform, Removal.parse(payload).id, false),
  'files.sweep': async (_payload, { signal }) => {
    const { database } = platform;
    const unused = await database
      .select({ id: files.id })
      .from(files)
      .where(
        and(isNull(files.usedAt), lt(files.createdAt, sql`now() - make_interval(hours => ${unusedHours})`)),
      )
      .limit(sweepSize);
    for (const { id } of unused) {
      signal.throwIfAborted();
      await removeFile(platform, id, true);
    }
    if (unused.length === sweepSize) await enqueue(database, 'files.sweep', {}, { key: 'files.sweep.more' });
  },
});
