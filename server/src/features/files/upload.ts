import { createHash } from 'node:crypto';
import { type BucketId, bucketLimit } from '@tara/contract/files';
import { upload as limits } from '@tara/contract/limits';
import { invalidFileSize } from '@tara/contract/notices';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { refuseAs } from '../../platform/database/constraint.ts';
import { sha256 } from '../../platform/files/checksum.ts';
import type { FileStore } from '../../platform/files/store.ts';
import { newId } from '../../platform/ids.ts';
import type { ProcessedImage } from '../../platform/images/process.ts';
import type { Images } from '../../platform/images/queue.ts';
import { ImageRejected } from '../../platform/images/rejected.ts';
import { Problem } from '../../platform/problem.ts';
import { claimObjects, discardReserved, newFilePath, reserveObjects } from './objects.ts';
import { ownFileId } from './read.ts';
import { files, uploads } from './tables.ts';

/** Most uploads of one account that nothing uses yet; a day later they are gone. */
export const mostUnused = 40;

export interface UploadContext {
  database: Database;
  /** Where pictures are kept as they are. */
  files: FileStore;
  /** The same store, encrypting: for identity pictures. */
  documents: FileStore;
  images: Images;
}

interface Upload {
  ownerAccountId: string;
  bucket: BucketId;
  /** Chosen by the client, and unlike that of its other files; without, a random one. */
  id?: string;
  /** For an upload in parts. */
  parts?: {
    id: string;
    chosenId: string | null;
    count: number;
    /** Ends the upload in the transaction of its file. @throws when it has ended */
    end: (transaction: Transaction) => Promise<void>;
  };
  /** As the file was called. */
  name: string;
  /** The file, in parts of any size. */
  chunks: readonly Uint8Array[];
  /** From where it was sent, as `request.ip`. */
  ip: string;
  /** Aborts when the sender disconnects. */
  signal?: AbortSignal;
}

/** The refusal of a file above the limit of its bucket (§5). */
export function tooLarge(bucket: BucketId): Problem {
  return new Problem('storage_invalid_file_size', { text: invalidFileSize(bucketLimit[bucket]).text });
}

function refusal(error: unknown, bucket: BucketId): unknown {
  if (!(error instanceof ImageRejected)) return error;
  switch (error.reason) {
    case 'unsupported_type':
      return new Problem('storage_file_type_unsupported', { cause: error });
    case 'too_large':
      return tooLarge(bucket);
    case 'too_many_pixels':
      return new Problem('storage_invalid_file', { text: 'it has too many pixels', cause: error });
    case 'too_slow':
      return new Problem('storage_invalid_file', { text: 'it takes too long to read', cause: error });
    case 'unreadable':
      return new Problem('storage_invalid_file', { cause: error });
  }
}

/** A file's name for people: without folders and characters that are not shown. */
export const cleanName = (name: string) =>
  (name.split(/[\\/]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 255);

/** The MD5 of stored bytes, by which clients of the backend service compare them; it protects nothing. */
export const signatureOf = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

/** @throws Problem `storage_unused_limit` when the account keeps too many uploads that nothing uses. */
export async function checkUnused(database: Database | Transaction, ownerAccountId: string): Promise<void> {
  const unused = await database.$count(
    files,
    and(eq(files.ownerAccountId, ownerAccountId), isNull(files.usedAt)),
  );
  if (unused >= mostUnused) throw new Problem('storage_unused_limit');
}

/** Serializes uploads of one account, so that many at once do not pass a count together. */
export const lockUploads = (transaction: Transaction, ownerAccountId: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${ownerAccountId}`}, 0))`);

/** An object of the store as it is written. */
interface StoredObject {
  key: string;
  content: Uint8Array;
}

async function insertFile(
  database: Database,
  { ownerAccountId, bucket, name, parts, id: chosen }: Upload,
  {
    id,
    path,
    processed,
    objects,
  }: { id: string; path: string; processed: ProcessedImage; objects: StoredObject[] },
) {
  const chosenId = parts === undefined ? (chosen ?? null) : parts.chosenId;
  const { width, height, thumbhash, mimeType, bytes, variants } = processed;
  return database.transaction(async (transaction) => {
    await lockUploads(transaction, ownerAccountId);
    await parts?.end(transaction);
    await checkUnused(transaction, ownerAccountId);
    // Found by the id that the server gave it: then the choice names a file of theirs already.
    const hasThisId = and(eq(files.id, chosenId ?? id), eq(files.ownerAccountId, ownerAccountId));
    const isUnfinished = parts === undefined ? eq(uploads.id, id) : sql`false`;
    const taken =
      (await transaction.$count(files, hasThisId)) + (await transaction.$count(uploads, isUnfinished));
    if (taken > 0) throw new Problem('storage_file_already_exists');
    const [row] = await transaction
      .insert(files)
      .values({
        id,
        bucket,
        ownerAccountId,
        chosenId,
        parts: parts?.count ?? 1,
        name: cleanName(name),
        mimeType,
        size: bytes.length,
        signature: signatureOf(bytes),
        width,
        height,
        thumbhash,
        variants: bucket === 'verificationFiles' ? [] : variants.map((variant) => variant.width),
        path,
        checksums: objects.map(({ content }) => sha256(content)),
      })
      .returning();
    if (!row) throw new Error('an inserted file was not returned');
    await claimObjects(
      transaction,
      objects.map(({ key }) => key),
    );
    return row;
  });
}

/**
 * Takes an upload apart, keeps what was decoded of it, and notes it as unused. Identity pictures are encrypted and have
 * no smaller variants.
 * @throws Problem of §5's file errors
 */
export async function storeUpload(
  { database, files: store, documents, images }: UploadContext,
  upload: Upload,
): Promise<typeof files.$inferSelect> {
  const { bucket, ownerAccountId } = upload;
  store.requireAvailable();
  const singleId = upload.id === undefined ? newId() : ownFileId(ownerAccountId, upload.id);
  const id = upload.parts?.id ?? singleId;
  const processed = await images
    .process(
      upload.chunks,
      { maxBytes: bucketLimit[bucket] },
      { accountId: ownerAccountId, ip: upload.ip },
      upload.signal,
    )
    .catch((error: unknown) => {
      throw refusal(error, bucket);
    });
  const isIdentity = bucket === 'verificationFiles';
  const path = newFilePath(bucket, ownerAccountId);
  const variants = isIdentity ? [] : processed.variants;
  const objects = [{ width: 'original', bytes: processed.bytes }, ...variants].map(({ width, bytes }) => ({
    key: `${path}/${width}`,
    content: bytes,
  }));
  const keys = objects.map(({ key }) => key);
  // The bytes before the row, so that each row has its bytes; what a crash leaves in between is noted.
  await reserveObjects(database, keys);
  try {
    // At once: one after the other, each would wait for a busy disk.
    const puts = objects.map(({ key, content }) => (isIdentity ? documents : store).put(key, content));
    // All have ended before a failure removes them: none is written after that.
    await Promise.allSettled(puts);
    await Promise.all(puts);
    return await insertFile(database, upload, { id, path, processed, objects }).catch(
      refuseAs({ files_pkey: 'storage_file_already_exists' }),
    );
  } catch (error) {
    await discardReserved({ database, files: store }, keys);
    throw error;
  }
}

/** The part of a file that a request carries. */
export interface PartRange {
  /** Position of the part, from 0. */
  index: number;
  /** Bytes of the part. */
  length: number;
  /** Bytes of the whole file. */
  size: number;
}

/** In how many parts a file of so many bytes comes. */
export const partCount = (size: number) => Math.ceil(size / limits.part);

/**
 * Reads the Content-Range of an upload; null when it covers the whole file. All parts but the last have 5 MiB, so each begins at
 * a multiple of it. SDKs before 13.0.0 announce the end of the last one as one too far.
 * @throws Problem `storage_invalid_content_range`; `storage_invalid_file_size` by the announced size, before anything is read
 */
export function readPartRange(header: string, bucket: BucketId): PartRange | null {
  const [, ...numbers] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header.trim()) ?? [];
  const [start = 0, end = 0, size = 0] = numbers.map(Number);
  const length = Math.min(limits.part, size - start);
  const last = start + length - 1;
  const isWhole = start === 0 && end === size - 1;
  const isPart = start % limits.part === 0 && (end === last || (end === size && last === size - 1));
  if (start >= size || !(isWhole || isPart)) throw new Problem('storage_invalid_content_range');
  if (size > bucketLimit[bucket]) throw tooLarge(bucket);
  return isWhole ? null : { index: start / limits.part, length, size };
}

/** How many of the first parts are there without a gap: never all, since what comes then completes the file. */
export function resumableParts({ parts, size }: { parts: readonly number[]; size: number }): number {
  let count = 0;
  while (parts.includes(count)) count++;
  return Math.min(count, partCount(size) - 1);
}
