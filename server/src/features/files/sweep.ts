import { and, eq, isNull, lt, lte, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { encryptedStore, type Keyring } from '../../platform/files/encrypted.ts';
import { FileNotFound, type FileStore, StoreAway } from '../../platform/files/store.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { objectPath, removeDueObject } from './objects.ts';
import { removeUnfinished } from './parts.ts';
import { removeFile, removeReleased } from './release.ts';
import { files, objectRemovals, uploads } from './tables.ts';
import { signatureOf } from './upload.ts';

type SweepContext = Pick<Platform, 'database' | 'files'> &
  Pick<JobHelpers, 'log' | 'signal'> & {
    /** The file store, decrypting: for identity pictures. */
    documents: FileStore;
  };

/** Whether a time is a day ago: then an upload that nothing uses is removed, and one whose last part came then. */
const isDayAgo = (time: PgColumn) => lt(time, sql`now() - interval '24 hours'`);
/** Most files of one job, so that it stays short. */
const sweepSize = 500;

/** Removes uploads that nothing used for a day; returns how many it looked at. */
const removeUnused = (context: SweepContext) =>
  workItems(context, {
    name: 'files.sweep/unused',
    select: (isDue) =>
      context.database
        .select({ id: files.id })
        .from(files)
        .where(and(isNull(files.usedAt), isDayAgo(files.createdAt), isDue(files.id)))
        .orderBy(files.createdAt)
        .limit(sweepSize),
    id: ({ id }) => id,
    work: ({ id }) => removeFile(context, id, true),
  });

/** Removes uploads whose last part came a day ago; returns how many it looked at. */
const removeOldUploads = (context: SweepContext) =>
  workItems(context, {
    name: 'files.sweep/unfinished',
    select: (isDue) =>
      context.database
        .select({ id: uploads.id })
        .from(uploads)
        .where(and(isDayAgo(uploads.updatedAt), isDue(uploads.id)))
        .orderBy(uploads.updatedAt)
        .limit(sweepSize),
    id: ({ id }) => id,
    work: ({ id }) => removeUnfinished(context, and(eq(uploads.id, id), isDayAgo(uploads.updatedAt))),
  });

/** Gives files of before migration 0099 their MD5 in place of a SHA-256; returns how many it looked at. */
const signOldFiles = (context: SweepContext) =>
  workItems(context, {
    name: 'files.sweep/unsigned',
    select: (isDue) =>
      context.database
        .select({ id: files.id, path: files.path, bucket: files.bucket })
        .from(files)
        .where(and(sql`length(${files.signature}) = 64`, isDue(files.id)))
        .orderBy(files.createdAt)
        .limit(sweepSize),
    id: ({ id }) => id,
    work: async ({ id, path, bucket }) => {
      const source = bucket === 'verificationFiles' ? context.documents : context.files;
      const bytes = await source.read(`${objectPath({ id, path })}/original`).catch((error: unknown) => {
        if (error instanceof FileNotFound) return null;
        throw error;
      });
      const signature = bytes === null ? '' : signatureOf(bytes);
      await context.database.update(files).set({ signature }).where(eq(files.id, id));
    },
  });

/** Removes objects that no row refers to, once it is time; returns how many it looked at. */
const removeObjects = (context: SweepContext) =>
  workItems(context, {
    name: 'files.sweep/objects',
    select: (isDue) =>
      context.database
        .select({ key: objectRemovals.key })
        .from(objectRemovals)
        .where(and(lte(objectRemovals.dueAt, sql`now()`), isDue(objectRemovals.key)))
        .orderBy(objectRemovals.dueAt)
        .limit(sweepSize),
    id: ({ key }) => key,
    isOutage: (error) => error instanceof StoreAway,
    work: ({ key }) => removeDueObject(context, key),
  });

/** Jobs of this feature. */
export function fileTasks(
  platform: Pick<Platform, 'database' | 'files' | 'bus'>,
  documentsKey: Keyring | Buffer,
) {
  const documents = encryptedStore(platform.files, documentsKey);
  return {
    ...tasks.removeFile.handledBy(({ id }) => removeReleased(platform, id)),
    ...tasks.sweepFiles.handledBy(async (_job, { log, signal }) => {
      const context = { ...platform, documents, log, signal };
      const counts = [
        await removeUnused(context),
        await removeOldUploads(context),
        await signOldFiles(context),
        await removeObjects(context),
      ];
      if (counts.includes(sweepSize)) await tasks.sweepFiles.enqueue(platform.database, {});
    }),
  };
}
