import type { BucketId } from '@tara/contract/files';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { FileNotFound, type FileStore } from '../../platform/files/store.ts';
import { newId } from '../../platform/ids.ts';
import { sniffKind } from '../../platform/images/kind.ts';
import { Problem } from '../../platform/problem.ts';
import {
  claimObjects,
  dropObjects,
  newPartsPath,
  partKeys,
  removeDropped,
  reserveObjects,
} from './objects.ts';
import { type FileRow, ownFileId } from './read.ts';
import { removeUpload } from './release.ts';
import { files, uploads } from './tables.ts';
import {
  checkUnused,
  cleanName,
  lockUploads,
  type PartRange,
  partCount,
  storeUpload,
  type UploadContext,
} from './upload.ts';

/** Most unfinished uploads of one account, each of up to 20 MB; a day after its last part one is gone. */
export const mostUnfinished = 5;

export type UploadRow = typeof uploads.$inferSelect;

/** One part of a file. */
interface Part {
  ownerAccountId: string;
  bucket: BucketId;
  /** Id of the upload that it belongs to, or chosen for a new one; without, a random one. */
  id: string | undefined;
  name: string;
  range: PartRange;
  /** The part, in pieces of any size. */
  chunks: readonly Uint8Array[];
  ip: string;
}

const allKeys = (upload: UploadRow) => partKeys(upload, [...Array(partCount(upload.size)).keys()]);
const ownIds = (ownerAccountId: string, id: string) => [id, ownFileId(ownerAccountId, id)];

/** One's own unfinished upload. */
export async function findUnfinished(
  database: Database | Transaction,
  { id, bucket, ownerAccountId }: { id: string; bucket: BucketId; ownerAccountId: string },
): Promise<UploadRow | undefined> {
  const [row] = await database
    .select()
    .from(uploads)
    .where(
      and(
        inArray(uploads.id, ownIds(ownerAccountId, id)),
        eq(uploads.bucket, bucket),
        eq(uploads.ownerAccountId, ownerAccountId),
      ),
    );
  return row;
}

/** Removes unfinished uploads with their parts, at most `limit`; returns how many. */
export async function removeUnfinished(
  { database, files: store }: { database: Database; files: FileStore },
  condition: SQL | undefined,
  limit = 1,
): Promise<number> {
  const rows = await database.select({ id: uploads.id }).from(uploads).where(condition).limit(limit);
  let count = 0;
  for (const { id } of rows) {
    const keys = await database.transaction(async (transaction) => {
      const [gone] = await transaction
        .delete(uploads)
        .where(and(eq(uploads.id, id), condition))
        .returning();
      return gone === undefined ? null : dropObjects(transaction, allKeys(gone));
    });
    if (keys === null) continue;
    await removeDropped({ database, files: store }, keys);
    count++;
  }
  return count;
}

/** Notes the upload that a part belongs to, a new one where there is none; or finds the file that it became. */
async function openUpload(database: Database, part: Part): Promise<{ row: UploadRow } | { file: FileRow }> {
  const { ownerAccountId, bucket, range, name } = part;
  return database.transaction(async (transaction) => {
    await lockUploads(transaction, ownerAccountId);
    if (part.id !== undefined) {
      const row = await findUnfinished(transaction, { id: part.id, bucket, ownerAccountId });
      if (row !== undefined && row.size !== range.size) throw new Problem('storage_invalid_content_range');
      if (row !== undefined) return { row };
      const file = await findFile(transaction, ownerAccountId, part.id);
      // A part that was sent again, since its answer got lost.
      if (file?.bucket === bucket && file.parts === partCount(range.size)) return { file };
      if (file !== undefined) throw new Problem('storage_file_already_exists');
    }
    await checkUnused(transaction, ownerAccountId);
    const unfinished = await transaction.$count(uploads, eq(uploads.ownerAccountId, ownerAccountId));
    if (unfinished >= mostUnfinished) throw new Problem('storage_unfinished_limit');
    const id = part.id === undefined ? newId() : ownFileId(ownerAccountId, part.id);
    const [row] = await transaction
      .insert(uploads)
      .values({
        ...{ id, ownerAccountId, bucket, size: range.size },
        ...{ chosenId: part.id ?? null, name: cleanName(name), path: newPartsPath(ownerAccountId) },
      })
      .onConflictDoNothing()
      .returning();
    // It is in another bucket.
    if (row === undefined) throw new Problem('storage_file_already_exists');
    return { row };
  });
}

async function findFile(
  database: Database | Transaction,
  ownerAccountId: string,
  id: string,
): Promise<FileRow | undefined> {
  const [file] = await database
    .select()
    .from(files)
    .where(and(inArray(files.id, ownIds(ownerAccountId, id)), eq(files.ownerAccountId, ownerAccountId)));
  return file;
}

function firstBytes(chunks: readonly Uint8Array[]): Buffer {
  let head = Buffer.alloc(0);
  for (let index = 0; index < chunks.length && head.length < 8; index++)
    head = Buffer.concat([head, (chunks[index] ?? head).subarray(0, 8)]);
  return head;
}

/** Another node, or the same part sent twice, has completed the upload. */
class UploadEnded extends Error {
  override readonly name = 'UploadEnded';
}

/** Ends an upload in the transaction of the file that it became. @throws UploadEnded */
async function endUpload(transaction: Transaction, row: UploadRow): Promise<void> {
  const ended = await transaction.delete(uploads).where(eq(uploads.id, row.id)).returning({ id: uploads.id });
  if (ended.length === 0) throw new UploadEnded('The upload was completed by another call.');
  await dropObjects(transaction, allKeys(row));
}

/** Whether an error says that the picture will not be taken however often it is sent. */
const isFinal = (error: unknown) =>
  error instanceof Problem &&
  ['storage_file_type_unsupported', 'storage_invalid_file_size', 'storage_invalid_file'].includes(error.type);

/**
 * Takes the parts of files in any order, also twice, and returns the file to the one that makes it whole. A part is
 * kept on disk before it is answered, so an upload goes on after a restart. `announce` gets each new file.
 */
export function partUploads(context: UploadContext, announce: (file: FileRow) => void) {
  const { database, files: store, documents } = context;
  /** Under way on this node, by upload: parts that were sent twice wait for the same one. */
  const completions = new Map<string, Promise<FileRow>>();
  const storeOf = ({ bucket }: { bucket: BucketId }) => (bucket === 'verificationFiles' ? documents : store);

  async function readParts(row: UploadRow): Promise<Buffer[] | null> {
    try {
      return await Promise.all(allKeys(row).map((key) => storeOf(row).read(key)));
    } catch (error) {
      if (error instanceof FileNotFound) return null;
      throw error;
    }
  }

  async function complete(row: UploadRow, ip: string): Promise<FileRow> {
    const { id, bucket, ownerAccountId, chosenId, name } = row;
    const remove = () => removeUnfinished(context, eq(uploads.id, id));
    const findCompleted = async () => {
      const file = await findFile(database, ownerAccountId, id);
      if (file === undefined) throw new Problem('storage_file_not_found');
      return file;
    };
    const chunks = await readParts(row);
    if (chunks === null) {
      // Completed by another call a moment ago.
      await remove();
      return findCompleted();
    }
    // A row without bytes, which a crash left before migration 0230.
    const cutOff = await findFile(database, ownerAccountId, id);
    if (cutOff?.path === null) await removeUpload(context, { id, bucket, ownerAccountId });
    const end = (transaction: Transaction) => endUpload(transaction, row);
    const parts = { id, chosenId, count: chunks.length, end };
    try {
      const file = await storeUpload(context, { ownerAccountId, bucket, name, chunks, ip, parts });
      await removeDropped(context, allKeys(row));
      announce(file);
      return file;
    } catch (error) {
      if (error instanceof UploadEnded) return findCompleted();
      if (isFinal(error)) await remove();
      throw error;
    }
  }

  /**
   * @throws Problem `storage_invalid_content_range` when the upload has another size, `storage_unfinished_limit`, and those
   * of `storeUpload`
   */
  return async (part: Part): Promise<{ row: UploadRow } | { file: FileRow }> => {
    const { index } = part.range;
    if (index === 0 && sniffKind(firstBytes(part.chunks)) === undefined)
      throw new Problem('storage_file_type_unsupported');
    store.requireAvailable();
    const opened = await openUpload(database, part);
    if ('file' in opened) return opened;
    const { id } = opened.row;
    const [key = ''] = partKeys(opened.row, [index]);
    if (!opened.row.parts.includes(index)) {
      await reserveObjects(database, [key]);
      await storeOf(part).put(key, Buffer.concat(part.chunks));
    }
    const row = await database.transaction(async (transaction) => {
      const [updated] = await transaction
        .update(uploads)
        .set({
          parts: sql`case when ${index}::int = any(${uploads.parts}) then ${uploads.parts} else array_append(${uploads.parts}, ${index}::int) end`,
          updatedAt: sql`now()`,
        })
        .where(eq(uploads.id, id))
        .returning();
      // Without the row it was completed by the same part, sent twice, or deleted.
      if (updated === undefined) await dropObjects(transaction, [key]);
      else await claimObjects(transaction, [key]);
      return updated;
    });
    if (row === undefined) {
      await removeDropped(context, [key]);
      const file = await findFile(database, part.ownerAccountId, id);
      if (file === undefined) throw new Problem('storage_file_not_found');
      return { file };
    }
    if (row.parts.length < partCount(row.size)) return { row };
    const completion = completions.get(id) ?? complete(row, part.ip).finally(() => completions.delete(id));
    completions.set(id, completion);
    return { file: await completion };
  };
}
