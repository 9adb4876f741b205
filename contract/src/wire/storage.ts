import * as z from 'zod/mini';
import { calls, get, put } from '../calls.ts';
import { Id, queryNumber, tooLong } from '../fields.ts';
import { BucketId, File } from '../files.ts';
import { ListQuery, Permissions } from './documents.ts';

/** The file calls of the backend service that our web does not make, or makes by an address alone. */

const FileParams = z.object({ bucketId: BucketId, fileId: Id });

const FileListQuery = z.extend(ListQuery, {
  search: z.optional(z.string().check(z.maxLength(256, tooLong(256)))),
});

const nameRule = 'Must be 1 to 255 characters.';

export const Color = z
  .string()
  .check(z.regex(/^([\da-fA-F]{3}|[\da-fA-F]{6})?$/, 'Must be three or six hexadecimal digits, without #.'));

/** A number in a query, also one with a sign or a fraction. */
const signedNumber = (pattern: RegExp, min: number, max: number) => {
  const message = `Must be ${min} to ${max}.`;
  return z.pipe(
    z.union([z.number(), z.string().check(z.regex(pattern))], message),
    z.coerce.number<number | string>().check(z.minimum(min, message), z.maximum(max, message)),
  );
};

/** What an address says that a page shows by itself: the project, and the token that stands for a member's session. */
const addressed = {
  project: z.optional(z.string().check(z.maxLength(36))),
  token: z.optional(z.string().check(z.maxLength(200))),
};
const PictureQuery = z.object(addressed);

const PreviewQuery = z.object({
  width: z.optional(queryNumber(0, 4000)),
  height: z.optional(queryNumber(0, 4000)),
  gravity: z.optional(
    z.enum(
      ['center', 'top-left', 'top', 'top-right', 'left', 'right', 'bottom-left', 'bottom', 'bottom-right'],
      'Must be center, or a side or corner such as top-left.',
    ),
  ),
  quality: z.optional(queryNumber(0, 100)),
  borderWidth: z.optional(queryNumber(0, 100)),
  borderColor: z.optional(Color),
  borderRadius: z.optional(queryNumber(0, 4000)),
  opacity: z.optional(signedNumber(/^\d{0,4}(\.\d{0,10})?$/, 0, 1)),
  rotation: z.optional(signedNumber(/^-?\d{1,4}$/, -360, 360)),
  background: z.optional(Color),
  output: z.optional(
    z.enum(['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif'], 'Must be jpg, jpeg, png, gif, webp or avif.'),
  ),
  ...addressed,
});

export type PreviewQuery = z.infer<typeof PreviewQuery>;

export const storage = calls('/v1/storage/buckets', {
  list: get('/:bucketId/files', {
    summary:
      'One’s own files of a bucket, 25 or `limit` of them (at most 100), by `queries` and by words of their names; unfinished uploads are not among them.',
    params: z.object({ bucketId: BucketId }),
    query: FileListQuery,
    reply: z.object({ total: z.int(), files: z.array(File) }),
    errors: [
      'storage_bucket_not_found',
      'general_query_invalid',
      'general_cursor_not_found',
      'database_timeout',
    ],
  }),
  get: get('/:bucketId/files/:fileId', {
    summary:
      'What is known of a file. Of an upload that is not whole yet, `chunksUploaded` are its first parts without a gap: an SDK goes on behind them.',
    params: FileParams,
    reply: File,
    errors: ['storage_file_not_found'],
  }),
  update: put('/:bucketId/files/:fileId', {
    summary:
      'Renames one’s own file. `permissions` are checked for their form and change nothing: who may see a picture is decided by the record that uses it.',
    params: FileParams,
    body: z.object({
      name: z.nullish(z.string().check(z.minLength(1, nameRule), z.maxLength(255, nameRule))),
      permissions: Permissions,
    }),
    reply: File,
    errors: ['storage_file_not_found', 'user_unauthorized'],
  }),
  view: get('/:bucketId/files/:fileId/view', {
    summary: 'The picture as stored, or one range of its bytes.',
    params: FileParams,
    query: PictureQuery,
    reply: z.unknown(),
    errors: ['storage_file_not_found', 'storage_invalid_range'],
  }),
  download: get('/:bucketId/files/:fileId/download', {
    summary: 'The picture as stored, to be saved as a file, or one range of its bytes.',
    params: FileParams,
    query: PictureQuery,
    reply: z.unknown(),
    errors: ['storage_file_not_found', 'storage_invalid_range'],
  }),
  preview: get('/:bucketId/files/:fileId/preview', {
    summary:
      'The picture in another size, shape or format. With both `width` and `height` it is cropped to that size, with one it is made smaller only. `quality` is honoured up to what is stored (80) unless something else is asked for.',
    params: FileParams,
    query: PreviewQuery,
    reply: z.unknown(),
    errors: ['storage_file_not_found', 'storage_invalid_file', 'storage_image_resolution_exceeded'],
  }),
});
