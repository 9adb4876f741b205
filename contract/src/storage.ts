import * as z from 'zod/mini';
import { calls, get, put } from './calls.ts';
import { Id, queryNumber } from './fields.ts';
import { BucketId, File } from './files.ts';

/** The file calls of the backend service that our web does not make, or makes by an address alone. */

const FileParams = z.object({ bucketId: BucketId, fileId: Id });

/** Permissions of the backend service: checked for their form, and without effect (§6). */
export const Permissions = z
  .array(
    z
      .string()
      .check(
        z.maxLength(128, 'Must be a permission such as read("users").'),
        z.regex(
          /^(read|create|update|delete|write)\("(any|guests|users(\/(un)?verified)?|(user|team|member|label):[A-Za-z0-9][\w.-]{0,35}(\/[\w-]{1,36})?)"\)$/,
          'Must be a permission such as read("users").',
        ),
      ),
  )
  .check(z.maxLength(100, 'Must be at most 100 permissions.'));

export const storage = calls('/v1/storage/buckets', {
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
      name: z.nullish(
        z
          .string()
          .check(
            z.minLength(1, 'Must be 1 to 255 characters.'),
            z.maxLength(255, 'Must be 1 to 255 characters.'),
          ),
      ),
      permissions: z.nullish(Permissions),
    }),
    reply: File,
    errors: ['storage_file_not_found', 'user_unauthorized'],
  }),
  view: get('/:bucketId/files/:fileId/view', {
    summary: 'The picture as stored, or one range of its bytes.',
    params: FileParams,
    reply: z.unknown(),
    errors: ['storage_file_not_found', 'storage_invalid_range'],
  }),
  download: get('/:bucketId/files/:fileId/download', {
    summary: 'The picture as stored, to be saved as a file, or one range of its bytes.',
    params: FileParams,
    reply: z.unknown(),
    errors: ['storage_file_not_found', 'storage_invalid_range'],
  }),
  preview: get('/:bucketId/files/:fileId/preview', {
    summary:
      'The smallest stored variant at least `width` pixels wide, or the original when none is; encoded again in `quality`, from 0 to 100, when that is less than what is stored (80).',
    params: FileParams,
    query: z.object({
      width: z.optional(queryNumber(0, 4000)),
      quality: z.optional(queryNumber(0, 100)),
      project: z.optional(z.string().check(z.maxLength(36))),
    }),
    reply: z.unknown(),
    errors: ['storage_file_not_found'],
  }),
});
