import { Readable } from 'node:stream';
import type { BucketId } from '@tara/contract/files';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { FileNotFound, type FileStore } from '../../platform/files/store.ts';
import { newId } from '../../platform/ids.ts';
import { sniffKind } from '../../platform/images/kind.ts';
import { Problem } from '../../platform/problem.ts';
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

const partKey = (id: string, index: number) => `parts/${id}/${index}`;
const allIndexes = ({ size }: { size: number }) => [...Array(partCount(size)).keys()];
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
    await database.transaction(async (transaction) => {
      const [gone] = await transaction
        .delete(uploads)
        .where(and(eq(uploads.id, id), condition))
        .returning();
      if (gone === undefined) return;
      // The bytes go before the commit: when the process dies in between, the row is there and is removed again.
      for (const index of allIndexes(gone)) await store.delete(partKey(id, index));
      count++;
    });
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
        ...{ chosenId: part.id ?? null, name: cleanName(name) },
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
  /** Under way, by upload: parts that were sent twice wait for the same one. */
  const completions = new Map<string, Promise<FileRow>>();
  const storeOf = ({ bucket }: { bucket: BucketId }) => (bucket === 'verificationFiles' ? documents : store);

  async function readParts(row: UploadRow): Promise<Buffer[] | null> {
    try {
      const read = allIndexes(row).map((index) => storeOf(row).read(partKey(row.id, index)));
      return await Promise.all(read);
    } catch (error) {
      if (error instanceof FileNotFound) return null;
      throw error;
    }
  }

  async function complete(row: UploadRow, ip: string): Promise<FileRow> {
    const { id, bucket, ownerAccountId, chosenId, name } = row;
    const remove = () => removeUnfinished(context, eq(uploads.id, id));
    const chunks = await readParts(row);
    if (chunks === null) {
      // A crash came while the parts of a stored file were removed.
      await remove();
      const file = await findFile(database, ownerAccountId, id);
      if (file === undefined) throw new Problem('storage_file_not_found');
      return file;
    }
    // What a completion left that was cut off.
    await removeUpload(context, { id, bucket, ownerAccountId });
    const upload = {
      ownerAccountId,
      bucket,
      name,
      chunks,
      ip,
      parts: { id, chosenId, count: chunks.length },
    };
    const file = await storeUpload(context, upload).catch(async (error: unknown) => {
      if (isFinal(error)) await remove();
      throw error;
    });
    await remove();
    announce(file);
    return file;
  }

  /**
   * @throws Problem `storage_invalid_content_range` when the upload has another size, `storage_unfinished_limit`, and those
   * of `storeUpload`
   */
  return async (part: Part): Promise<{ row: UploadRow } | { file: FileRow }> => {
    const { index } = part.range;
    if (index === 0 && sniffKind(firstBytes(part.chunks)) === undefined)
      throw new Problem('storage_file_type_unsupported');
    const opened = await openUpload(database, part);
    if ('file' in opened) return opened;
    const { id } = opened.row;
    if (!opened.row.parts.includes(index))
      await storeOf(part).put(partKey(id, index), Readable.from(part.chunks));
    const [row] = await database
      .update(uploads)
      .set({
        parts: sql`case when ${index}::int = any(${uploads.parts}) then ${uploads.parts} else array_append(${uploads.parts}, ${index}::int) end`,
        updatedAt: sql`now()`,
      })
      .where(eq(uploads.id, id))
      .returning();
    if (row === undefined) {
      // Completed by the same part, sent twice, or deleted.
      await store.delete(partKey(id, index));
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
