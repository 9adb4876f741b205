import multipart from '@fastify/multipart';
import { BucketId, type File, files } from '@tara/contract/files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { files as table } from '../features/files/index.ts';
import {
  checkUnused,
  pictureReads,
  removeUpload,
  type StoredPicture,
  storeUpload,
} from '../features/files/index.ts';
import { canSeeChatPicture } from '../features/messages/index.ts';
import { openFairQueue } from '../platform/fair-queue.ts';
import { encryptedStore, type Keyring } from '../platform/files/encrypted.ts';
import { FileNotFound } from '../platform/files/store.ts';
import { serve } from '../platform/http/serve.ts';
import { openPreviews, storedQuality } from '../platform/images/preview.ts';
import { type Images, openImages } from '../platform/images/queue.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem.ts';
import { receiveFile, type UploadPace, uploadPace } from './multipart.ts';
import { wireTime } from './time.ts';

function presentFile(row: typeof table.$inferSelect): File {
  const mine = `user:${row.ownerAccountId}`;
  const readers = row.bucket === 'verificationFiles' ? [] : [`read("${mine}")`];
  return {
    $id: row.id,
    bucketId: row.bucket,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    $permissions: [...readers, `delete("${mine}")`],
    name: row.name,
    signature: row.signature,
    mimeType: row.mimeType,
    sizeOriginal: row.size,
    chunksTotal: 1,
    chunksUploaded: 1,
  };
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

async function sendPicture(
  read: (picture: StoredPicture) => Promise<Buffer>,
  request: FastifyRequest,
  reply: FastifyReply,
  picture: StoredPicture & { bucketId: BucketId },
): Promise<FastifyReply> {
  const { mimeType, etag } = picture;
  if (isKnown(request, etag)) return pictureHeaders(reply, picture).code(304).send();
  const bytes = await read(picture).catch((error: unknown) => {
    // Removed a moment ago, or an upload whose bytes are still on their way.
    throw error instanceof FileNotFound ? new Problem('storage_file_not_found', { cause: error }) : error;
  });
  return pictureHeaders(reply, picture).type(mimeType).send(bytes);
}

/** Aborts when the caller is gone; the reason is for the log alone, since nobody reads the answer. */
function whileConnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new Problem('storage_upload_too_slow'));
  if (reply.raw.destroyed) abort();
  reply.raw.once('close', abort);
  return controller.signal;
}

const KnownBucket = z.object({ bucketId: BucketId });

/** Binds the wire's file calls. `documentsKey` encrypts identity pictures. */
export function storageRoutes(
  app: FastifyInstance,
  platform: Platform,
  documentsKey: Keyring | Buffer,
  { images = openImages(platform.config), pace = uploadPace }: { images?: Images; pace?: UploadPace } = {},
): void {
  const { database, files: store } = platform;
  const parts = { database, files: store, images, documents: encryptedStore(store, documentsKey) };
  // Each holds a picture of up to 20 MB in memory.
  const uploads = openFairQueue({
    concurrency: 12,
    total: 400,
    account: { running: 2, total: 12 },
    address: { running: 8, total: 60 },
    network: { running: 10, total: 120 },
  });
  app.addHook('onClose', async () => images.close());
  const read = pictureReads(database, canSeeChatPicture);
  const readStored = ({ key }: StoredPicture) => store.read(key);
  const previews = openPreviews(store);

  // In a scope of its own: only these calls take multipart bodies and know buckets.
  app.register(async (scope) => {
    await scope.register(multipart);
    scope.addHook('preValidation', async ({ params }) => {
      if (!KnownBucket.safeParse(params).success) throw new Problem('storage_bucket_not_found');
    });

    serve(
      scope,
      files.create,
      async ({ viewer: { accountId }, params: { bucketId }, request, reply }) => {
        await checkUnused(database, accountId);
        const { ip } = request;
        const signal = whileConnected(reply);
        const store = async () => {
          const received = await receiveFile(request, reply, bucketId, pace);
          const upload = { ...received, bucket: bucketId, ownerAccountId: accountId, ip, signal };
          const row = await storeUpload(parts, upload);
          return { ...presentFile(row), $id: received.id ?? row.id };
        };
        return uploads.run({ accountId, ip }, store, signal);
      },
      { perMinute: 60 },
    );
    serve(scope, files.view, async ({ viewer, params: { bucketId, fileId }, request, reply }) => {
      const picture = await read.picture(viewer, bucketId, fileId);
      return sendPicture(readStored, request, reply, { ...picture, bucketId });
    });
    serve(scope, files.preview, async ({ viewer, params: { bucketId, fileId }, query, request, reply }) => {
      const picture = { ...(await read.picture(viewer, bucketId, fileId, query.width)), bucketId };
      const quality = query.quality ?? 100;
      if (quality >= storedQuality) return sendPicture(readStored, request, reply, picture);
      const etag = picture.etag.replace(/"$/, `-q${quality}"`);
      const readPreview = (stored: StoredPicture) => previews(stored, quality);
      return sendPicture(readPreview, request, reply, { ...picture, etag });
    });
    serve(scope, files.delete, async ({ viewer, params }) => {
      const upload = { id: params.fileId, bucket: params.bucketId, ownerAccountId: viewer.accountId };
      if (!(await removeUpload(platform, upload))) throw new Problem('storage_file_not_found');
      return undefined;
    });
  });
}
