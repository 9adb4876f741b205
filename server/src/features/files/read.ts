import { createHash } from 'node:crypto';
import type { BucketId } from '@tara/contract/files';
import { and, eq, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { objectPath } from './objects.ts';
import { fileCan, hiddenPartner } from './policy.ts';
import { files } from './tables.ts';

/**
 * The id under which a file is stored whose id its sender chose: of the same choice of two accounts two ids are made, so
 * that nobody learns from their own upload whether another's file exists. By it and by the chosen id its owner finds it.
 */
export const ownFileId = (ownerAccountId: string, chosenId: string) =>
  createHash('sha256').update(`${ownerAccountId}\n${chosenId}`).digest('hex').slice(0, 32);

export type FileRow = typeof files.$inferSelect;

/** Where the bytes of a picture are, and what they are. */
export interface StoredPicture {
  key: string;
  mimeType: string;
  /** Changes with the bytes. */
  etag: string;
  /** SHA-256 of the bytes; undefined of a file of before migration 0230. */
  sha256: string | undefined;
}

/** The bytes of a file as stored. */
export const originalPicture = ({
  mimeType,
  signature,
  ...file
}: Pick<FileRow, 'id' | 'path' | 'mimeType' | 'signature' | 'checksums'>): StoredPicture => ({
  key: `${objectPath(file)}/original`,
  mimeType,
  etag: `"${signature}"`,
  sha256: file.checksums[0],
});

/** The stored variant nearest above `width` pixels; the picture itself when none is wide enough. */
export function chooseVariant(variants: number[], width: number): number | null {
  const wideEnough = variants.filter((variant) => variant >= width);
  return wideEnough.length > 0 ? Math.min(...wideEnough) : null;
}

/** The stored variant of a picture of at least `width` pixels, or the picture as stored. */
export function variantOf(file: FileRow, width: number | undefined): StoredPicture {
  const variant = width === undefined || width === 0 ? null : chooseVariant(file.variants, width);
  return variant === null
    ? originalPicture(file)
    : {
        key: `${objectPath(file)}/${variant}`,
        mimeType: 'image/webp',
        etag: `"${file.signature}-${variant}"`,
        sha256: file.checksums[1 + file.variants.indexOf(variant)],
      };
}

/** Decides about a picture of a chat whose two members are hidden from each other. */
export type IsChatPictureReadable = (
  database: Database,
  viewer: Viewer,
  picture: { imageId: string; otherAccountId: string },
) => Promise<boolean>;

/** Reads of stored pictures, prepared once. */
export function pictureReads(database: Database, isChatPictureReadable: IsChatPictureReadable) {
  const find = database
    .select()
    .from(files)
    .where(
      and(
        or(eq(files.id, sql.placeholder('id')), eq(files.id, sql.placeholder('ownId'))),
        eq(files.bucket, sql.placeholder('bucket')),
      ),
    )
    .prepare('file_one');
  return {
    /** @throws Problem `storage_file_not_found`, also for what `maySee` keeps from the viewer */
    file: async (viewer: Viewer, bucket: BucketId, id: string, maySee = fileCan.see): Promise<FileRow> => {
      const ownId = ownFileId(viewer.accountId, id);
      const rows = await find.execute({ id, ownId, bucket });
      // A member who chose this id for their own file means that one.
      const file = rows.find((row) => row.id === ownId) ?? rows[0];
      if (!file || !maySee(viewer, file)) throw new Problem('storage_file_not_found');
      const otherAccountId = hiddenPartner(viewer, file);
      const isHidden =
        otherAccountId !== undefined &&
        !(await isChatPictureReadable(database, viewer, { imageId: file.id, otherAccountId }));
      if (isHidden) throw new Problem('storage_file_not_found');
      return file;
    },
    /** What is known of a file. @throws Problem `storage_file_not_found` */
    details(viewer: Viewer, bucket: BucketId, id: string): Promise<FileRow> {
      return this.file(viewer, bucket, id, fileCan.seeDetails);
    },
  };
}
