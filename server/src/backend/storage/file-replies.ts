import type { BucketId, File } from '@tara/contract/files';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  adminReaders,
  type FileRow,
  fileAudience,
  partCount,
  type StoredPicture,
  type UploadRow,
} from '../../features/files/index.ts';
import type { FileChange } from '../../platform/documents.ts';
import { readProven } from '../../platform/files/checksum.ts';
import { type ByteRange, FileNotFound, type FileStore } from '../../platform/files/store.ts';
import { readRange } from '../../platform/http/range.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { wireTime } from '../../platform/wire-time.ts';

/** What the policy grants: nobody reads an identity picture here, and what a record uses is deleted with the record. */
function filePermissions(row: FileRow, hiddenAccountIds: readonly string[]): string[] {
  const { ownerAccountId } = row;
  const isOwned = ownerAccountId !== null && !hiddenAccountIds.includes(ownerAccountId);
  const owner = isOwned ? [`user:${ownerAccountId}`] : [];
  const audience = fileAudience(row);
  const readers =
    row.bucket === 'verificationFiles'
      ? []
      : audience === 'members'
        ? ['users/verified']
        : audience.filter((id) => !hiddenAccountIds.includes(id)).map((id) => `user:${id}`);
  const admins = row.readers?.includes(adminReaders) ? ['label:admin'] : [];
  return [
    ...[...readers, ...admins].map((role) => `read("${role}")`),
    ...owner.map((role) => `update("${role}")`),
    ...(row.usedAt === null ? owner.map((role) => `delete("${role}")`) : []),
  ];
}

/** What holds for whole files and for uploads. */
const presentStorage = ({ bucket, name, size }: Pick<FileRow | UploadRow, 'bucket' | 'name' | 'size'>) => ({
  bucketId: bucket,
  name,
  folder: '' as const,
  key: name,
  sizeOriginal: size,
  sizeActual: size,
  encryption: bucket === 'verificationFiles',
  compression: 'none' as const,
});

/** A stored file as the calls answer it, without accounts that are hidden from the viewer; `id` is the one that was asked for. */
export const presentFile = (
  row: FileRow,
  viewer: Pick<Viewer, 'hiddenAccountIds'> | null,
  id = row.chosenId ?? row.id,
): File => ({
  $id: id,
  ...presentStorage(row),
  $createdAt: wireTime(row.createdAt),
  $updatedAt: wireTime(row.updatedAt),
  $permissions: filePermissions(row, viewer?.hiddenAccountIds ?? []),
  signature: row.signature,
  mimeType: row.mimeType,
  chunksTotal: row.parts,
  chunksUploaded: row.parts,
});

/** An upload that is not whole yet, of which so many parts are there. */
export const presentUpload = (row: UploadRow, id: string, chunksUploaded: number): File => ({
  $id: id,
  ...presentStorage(row),
  $createdAt: wireTime(row.createdAt),
  $updatedAt: wireTime(row.updatedAt),
  $permissions: ['read', 'delete'].map((action) => `${action}("user:${row.ownerAccountId}")`),
  signature: '',
  mimeType: '',
  chunksTotal: partCount(row.size),
  chunksUploaded,
});

/** Announces what a call changed of a file, after its commit. The one place that does. */
export function announceFile(
  { bus }: Pick<Platform, 'bus'>,
  change: FileChange['change'],
  row: FileRow,
): void {
  const document = presentFile(row, null);
  bus.publish('file', {
    bucketId: row.bucket,
    id: row.id,
    ownId: document.$id,
    change,
    document,
    audience: fileAudience(row),
    ownerAccountId: row.ownerAccountId,
  });
}

/**
 * Bytes of a picture never change under their id, and a browser never runs what it shows. Of a chat's picture, which is
 * gone for both once it is taken back, it asks each time.
 */
function pictureHeaders(reply: FastifyReply, { etag, bucketId }: { etag: string; bucketId: BucketId }) {
  return reply
    .header(
      'cache-control',
      bucketId === 'messageFiles' ? 'private, no-cache' : 'private, max-age=31536000, immutable',
    )
    .header('content-security-policy', 'sandbox')
    .header('x-content-type-options', 'nosniff')
    .header('etag', etag);
}

const isKnown = (request: FastifyRequest, etag: string) =>
  (request.headers['if-none-match'] ?? '')
    .split(',')
    .some((known) => known.trim().replace(/^W\//, '') === etag);

const notFound = (error: unknown): never => {
  // Removed a moment ago, or an upload whose bytes are still on their way.
  throw error instanceof FileNotFound ? new Problem('storage_file_not_found', { cause: error }) : error;
};

/** Sends a picture, or only that the caller has it already. */
export async function sendPicture(
  read: (picture: StoredPicture) => Promise<Buffer>,
  request: FastifyRequest,
  reply: FastifyReply,
  picture: StoredPicture & { bucketId: BucketId },
): Promise<FastifyReply> {
  if (isKnown(request, picture.etag)) return pictureHeaders(reply, picture).code(304).send();
  const bytes = await read(picture).catch(notFound);
  return pictureHeaders(reply, picture).type(picture.mimeType).send(bytes);
}

/** The range that is asked for, unless it is of other bytes than those that are stored. @throws Problem `storage_invalid_range` */
function requestedRange(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { etag, size }: { etag: string; size: number },
): ByteRange | null {
  const ifRange = headers['if-range'];
  if (headers.range === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const range = readRange(headers.range, size);
  if (range !== null) return range;
  reply.header('content-range', `bytes */${size}`);
  throw new Problem('storage_invalid_range');
}

/** Sends a file as it is stored, or one range of it; with `name` to be saved under it. */
export async function sendFile(
  store: FileStore,
  request: FastifyRequest,
  reply: FastifyReply,
  picture: StoredPicture & { bucketId: BucketId; size: number },
  name?: string,
): Promise<FastifyReply> {
  const { size, mimeType } = picture;
  if (name !== undefined) reply.header('content-disposition', attachment(name));
  if (isKnown(request, picture.etag)) return pictureHeaders(reply, picture).code(304).send();
  const range = requestedRange(request, reply, picture);
  // Also for a range: only the whole file can be compared with its SHA-256, and it has 20 MB at most.
  const bytes = await readProven(store, picture).catch(notFound);
  pictureHeaders(reply, picture).header('accept-ranges', 'bytes').type(mimeType);
  if (range === null) return reply.send(bytes);
  return reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    .send(bytes.subarray(range.start, range.end + 1));
}

/** A name as a header may carry it: in ASCII for old clients, and whole (RFC 6266). */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_') || 'picture';
  const whole = encodeURIComponent(name || 'picture').replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
