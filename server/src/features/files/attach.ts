import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { Problem } from '../../platform/problem.ts';
import { adminReaders } from './policy.ts';
import { type PictureRow, pictureColumns } from './present.ts';
import { type FileRow, ownFileId } from './read.ts';
import { files } from './tables.ts';
import { cleanName } from './upload.ts';

interface Attachment {
  /** As its owner knows it; the record must refer to the id of the answer. */
  id: string;
  /** Its uploader. */
  ownerAccountId: string;
  bucket: typeof files.$inferSelect.bucket;
  /** Accounts that may read it beside its owner; without, every member may where the bucket allows it. */
  readers?: string[];
  /** What the picture shows, in the member's words. */
  alt?: string;
  /** Field of the form that named the file; `imageId` unless given. */
  field?: string;
}

/**
 * Puts an upload to use, in the transaction of the record that uses it. One statement decides: of two records that
 * want the same upload one gets it, and nobody gets another's.
 * @throws Problem `storage_file_not_found`
 */
export async function attachFile(
  transaction: Transaction,
  { id, ownerAccountId, bucket, readers, alt, field = 'imageId' }: Attachment,
): Promise<PictureRow> {
  const [attached] = await transaction
    .update(files)
    .set({ usedAt: sql`now()`, updatedAt: sql`now()`, readers: readers ?? null, ...(alt ? { alt } : {}) })
    .where(
      and(
        inArray(files.id, [id, ownFileId(ownerAccountId, id)]),
        eq(files.bucket, bucket),
        eq(files.ownerAccountId, ownerAccountId),
        isNull(files.usedAt),
      ),
    )
    .returning(pictureColumns(files));
  if (!attached) throw notUsable(field);
  return attached;
}

/**
 * Keeps a used picture from everybody, its owner included: what it belonged to was taken back. Returns whether it was
 * reported before.
 */
export async function hideFile(transaction: Transaction, id: string): Promise<{ wasReported: boolean }> {
  const [file] = await transaction
    .select({ readers: files.readers })
    .from(files)
    .where(eq(files.id, id))
    .for('update');
  await transaction.update(files).set({ readers: [], updatedAt: sql`now()` }).where(eq(files.id, id));
  return { wasReported: file?.readers?.includes(adminReaders) === true };
}

/** Lets admins see a picture that only its readers saw: a message with it was reported. Not once it was taken back. */
export async function showToAdmins(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .update(files)
    .set({ readers: sql`array_append(${files.readers}, ${adminReaders})` })
    .where(
      and(
        eq(files.id, id),
        sql`cardinality(${files.readers}) > 0`,
        sql`${adminReaders} <> all(${files.readers})`,
      ),
    );
}

/** Lets admins alone see a picture that was taken back: one of them looks at the original of a reported message. */
export async function showHiddenToAdmins(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .update(files)
    .set({ readers: [adminReaders] })
    .where(and(eq(files.id, id), sql`cardinality(${files.readers}) = 0`));
}

/** The one answer for an upload that does not exist, is another's, or is used. */
export function notUsable(field = 'imageId', cause?: unknown): Problem {
  const fields = { [field]: 'must be a picture you uploaded and have not used' };
  return new Problem('storage_file_not_found', { fields, cause });
}

/** Changes what is said to be on a used picture; only its record's owner may, which the caller has checked. */
export async function describeFile(transaction: Transaction, id: string, alt: string): Promise<void> {
  await transaction.update(files).set({ alt, updatedAt: sql`now()` }).where(eq(files.id, id));
}

/** Renames a file, of which the caller has checked that it is the member's own; undefined when it is gone. */
export async function renameFile(database: Database, id: string, name: string): Promise<FileRow | undefined> {
  const [row] = await database
    .update(files)
    .set({ name: cleanName(name), updatedAt: sql`now()` })
    .where(eq(files.id, id))
    .returning();
  return row;
}
