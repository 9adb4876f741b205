import * as z from 'zod/mini';
import { calls, del, post } from './calls.ts';
import { Id, Time } from './fields.ts';
import { pictureTypes, previewQuality, upload } from './limits.ts';

/** The buckets of §3. Verification files are stored encrypted, and these calls never serve them. */
export const BucketId = z.enum(['images', 'messageFiles', 'verificationFiles']);
export type BucketId = z.infer<typeof BucketId>;

/** Largest file of each bucket in bytes (§5). */
export const bucketLimit: Record<BucketId, number> = {
  images: upload.images,
  messageFiles: upload.messageFiles,
  verificationFiles: upload.verificationFiles,
};

export const File = z.object({
  $id: z.string(),
  bucketId: BucketId,
  $createdAt: Time,
  $updatedAt: Time,
  $permissions: z.array(z.string()),
  name: z.string(),
  /** Folders do not exist here: always `''`, and the key is the name. */
  folder: z.literal(''),
  key: z.string(),
  signature: z.string(),
  mimeType: z.string(),
  sizeOriginal: z.int(),
  /** The same: pictures are re-encoded before their size is taken. */
  sizeActual: z.int(),
  chunksTotal: z.int(),
  chunksUploaded: z.int(),
  /** Whether it is encrypted where it is stored. */
  encryption: z.boolean(),
  compression: z.literal('none'),
});
export type File = z.infer<typeof File>;

/** Checks a file before its upload. Returns the problem, or null when the file may be uploaded (§5). */
export function fileProblem(
  file: { type: string; size: number },
  bucket: BucketId,
): 'storage_file_type_unsupported' | 'storage_invalid_file_size' | null {
  if (!pictureTypes.some((type) => type === file.type)) return 'storage_file_type_unsupported';
  return file.size > bucketLimit[bucket] ? 'storage_invalid_file_size' : null;
}

const BucketParams = z.object({ bucketId: BucketId });
const FileParams = z.extend(BucketParams, { fileId: Id });

export const files = calls('/v1/storage/buckets', {
  create: post('/:bucketId/files', {
    summary:
      'Uploads one picture (JPG or PNG), larger ones also in parts of 5 MiB with Content-Range, in any order. It is type-checked, rotated, stripped of metadata and re-encoded, and deleted after a day if nothing uses it.',
    bodyKind: 'multipart',
    status: 201,
    params: BucketParams,
    reply: File,
    errors: [
      'storage_file_empty',
      'storage_file_type_unsupported',
      'storage_invalid_file_size',
      'storage_invalid_file',
      'storage_bucket_not_found',
      'storage_file_already_exists',
      'storage_unused_limit',
      'storage_unfinished_limit',
      'storage_invalid_content_range',
      'storage_invalid_appwrite_id',
      'storage_upload_too_slow',
    ],
  }),
  delete: del('/:bucketId/files/:fileId', {
    summary:
      'Deletes an uploaded picture that nothing uses yet, or an upload that is not whole. Of one’s own picture whose record was deleted within the last hour it does nothing more.',
    status: 204,
    params: FileParams,
    reply: z.undefined(),
    errors: ['storage_file_not_found'],
  }),
});

/** Where a stored picture is shown, without its size. */
export const pictureUrl = (bucketId: string, fileId: string) =>
  `/v1/storage/buckets/${bucketId}/files/${fileId}/preview`;

/**
 * URL of a picture at `width` device pixels (CSS pixels times the pixel ratio), in the quality of posts unless given (§9).
 * Avatars ask for their own.
 */
export const urlAtWidth = (imageUrl: string, width: number, quality: number = previewQuality.post) =>
  `${imageUrl}${imageUrl.includes('?') ? '&' : '?'}width=${width}&quality=${quality}`;
