import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { encryptedStore, type Keyring } from '../../platform/files/encrypted.ts';
import { FileNotFound, type FileStore } from '../../platform/files/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { removeUnfinished } from './parts.ts';
import { removeFile } from './release.ts';
import { files, uploads } from './tables.ts';
import { signatureOf } from './upload.ts';

type SweepContext = Pick<Platform, 'database' | 'files'> & {
  /** The file store, decrypting: for identity pictures. */
  documents: FileStore;
};

/** Whether a time is a day ago: then an upload that nothing uses is removed, and one whose last part came then. */
const isDayAgo = (time: PgColumn) => lt(time, sql`now() - interval '24 hours'`);
/** Most files of one job, so that it stays short. */
const sweepSize = 500;

/** Removes uploads that nothing used for a day; returns how many it looked at. */
async function removeUnused(context: SweepContext, signal: AbortSignal): Promise<number> {
  const unused = await context.database
    .select({ id: files.id })
    .from(files)
    .where(and(isNull(files.usedAt), isDayAgo(files.createdAt)))
    .limit(sweepSize);
  for (const { id } of unused) {
    signal.throwIfAborted();
    await removeFile(context, id, true);
  }
  return unused.length;
}

/** Gives files of before migration 0099 their MD5 in place of a SHA-256; returns how many it looked at. */
async function signOldFiles(
  { database, files: store, documents }: SweepContext,
  signal: AbortSignal,
): Promise<number> {
  const old = await database
    .select({ id: files.id, bucket: files.bucket })
    .from(files)
    .where(sql`length(${files.signature}) = 64`)
    .limit(sweepSize);
  for (const { id, bucket } of old) {
    signal.throwIfAborted();
    const source = bucket === 'verificationFiles' ? documents : store;
    const bytes = await source.read(`${id}/original`).catch((error: unknown) => {
      if (error instanceof FileNotFound) return null;
      throw error;
    });
    const signature = bytes === null ? '' : signatureOf(bytes);
    await database.update(files).set({ signature }).where(eq(files.id, id));
  }
  return old.length;
}

/** Jobs of this feature. */
export function fileTasks(platform: Pick<Platform, 'database' | 'files'>, documentsKey: Keyring | Buffer) {
  const context = { ...platform, documents: encryptedStore(platform.files, documentsKey) };
  return {
    ...tasks.removeFile.handledBy(({ id }) => removeFile(platform, id, false)),
    ...tasks.sweepFiles.handledBy(async (_job, { signal }) => {
      const counts = [
        await removeUnused(context, signal),
        await removeUnfinished(context, isDayAgo(uploads.updatedAt), sweepSize),
        await signOldFiles(context, signal),
      ];
      if (counts.includes(sweepSize)) await tasks.sweepFiles.enqueue(platform.database, {});
    }),
  };
}
