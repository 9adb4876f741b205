import multipart from '@fastify/multipart';
import { BucketId, files } from '@tara/contract/files';
import { storage } from '@tara/contract/wire/storage';
import { eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  checkUnused,
  findUnfinished,
  isGivenUp,
  originalPicture,
  partUploads,
  pictureReads,
  removeUnfinished,
  removeUpload,
  renameFile,
  resumableParts,
  type StoredPicture,
  storeUpload,
  uploads as uploadRows,
  watchRemoved,
} from '../../features/files/index.ts';
import { isChatPictureReadable } from '../../features/messages/index.ts';
import { openFairQueue } from '../../platform/fair-queue.ts';
import { readProven } from '../../platform/files/checksum.ts';
import { encryptedStore, type Keyring } from '../../platform/files/encrypted.ts';
import { serve } from '../../platform/http/serve.ts';
import { openPreviews, openTransformations, storedQuality } from '../../platform/images/preview.ts';
import { type Images, openImages } from '../../platform/images/queue.ts';
import { ImageRejected } from '../../platform/images/rejected.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { checkPermissions } from '../documents/write.ts';
import { avatarRoutes } from './avatars.ts';
import { fileLists } from './file-list.ts';
import { announceFile, presentFile, presentUpload, sendFile, sendPicture } from './file-replies.ts';
import { receiveFile, type UploadPace, uploadPace } from './multipart.ts';
import { readPreviewRequest } from './preview-request.ts';

/** Aborts when the caller disconnects; the reason is for the log alone, since nobody reads the reply. */
function whileConnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new Problem('storage_upload_too_slow'));
  if (reply.raw.destroyed) abort();
  reply.raw.once('close', abort);
  return controller.signal;
}

function refuseTransformation(error: unknown): never {
  if (!(error instanceof ImageRejected)) throw error;
  throw new Problem('storage_invalid_file', { text: 'the preview takes too long to make', cause: error });
}

const KnownBucket = z.object({ bucketId: BucketId });

/** Each upload that runs holds a picture of up to 20 MB in memory; of those that wait only the head is read. */
export const uploadShares = {
  concurrency: 12,
  total: 2_000,
  account: { running: 2, total: 12 },
  address: { running: 8, total: 400 },
  network: { running: 10, total: 800 },
};
/** Uploads that one account may begin. */
export const uploadsPerMinute = 60;

/** Binds the wire's calls of files and avatars. `documentsKey` encrypts identity pictures. */
export function storageRoutes(
  app: FastifyInstance,
  platform: Platform,
  documentsKey: Keyring | Buffer,
  { images = openImages(platform.config), pace = uploadPace }: { images?: Images; pace?: UploadPace } = {},
): void {
  const { database, files: store } = platform;
  const parts = { database, files: store, images, documents: encryptedStore(store, documentsKey) };
  const uploads = openFairQueue(uploadShares);
  app.addHook('onClose', async () => images.close());
  watchRemoved(platform);
  avatarRoutes(app, images);
  const storePart = partUploads(parts, (file) => announceFile(platform, 'create', file));
  const read = pictureReads(database, isChatPictureReadable);
  const listFiles = fileLists(platform);
  const readStored = (picture: { key: string; sha256?: string | undefined }) => readProven(store, picture);
  const previews = openPreviews(readStored);
  const transform = openTransformations(
    (source: Pick<StoredPicture, 'key' | 'sha256'> & { width: number; height: number }) => readStored(source),
    images,
  );

  // In a scope of its own: only these calls take multipart bodies and know buckets.
  app.register(async (scope) => {
    await scope.register(multipart);
    scope.addHook('preValidation', async ({ params }) => {
      if (!KnownBucket.safeParse(params).success) throw new Problem('storage_bucket_not_found');
    });

    serve(
      scope,
      files.create,
      async ({ viewer, params: { bucketId }, request, reply }) => {
        const { accountId } = viewer;
        // One part of an upload may be the last one, which uses a place that was counted before.
        if (request.headers['content-range'] === undefined) await checkUnused(database, accountId);
        const { ip } = request;
        await images.check({ accountId, ip });
        store.requireAvailable();
        const signal = whileConnected(reply);
        const receive = async () => {
          const { range, ...received } = await receiveFile(request, reply, bucketId, pace);
          const upload = { ...received, bucket: bucketId, ownerAccountId: accountId, ip, signal };
          if (range === null) {
            const row = await storeUpload(parts, upload);
            announceFile(platform, 'create', row);
            return presentFile(row, viewer);
          }
          const stored = await storePart({ ...upload, range });
          if ('file' in stored) return presentFile(stored.file, viewer, received.id);
          const { row } = stored;
          return presentUpload(row, received.id ?? row.id, row.parts.length);
        };
        return uploads.run({ accountId, ip }, receive, signal);
      },
      { perMinute: uploadsPerMinute },
    );
    serve(scope, storage.list, async ({ viewer, params: { bucketId }, query }) => {
      const { total, files: rows } = await listFiles(viewer, bucketId, query);
      return { total, files: rows.map((row) => presentFile(row, viewer)) };
    });
    serve(scope, storage.get, async ({ viewer, params: { bucketId, fileId } }) => {
      const own = { id: fileId, bucket: bucketId, ownerAccountId: viewer.accountId };
      const upload = await findUnfinished(database, own);
      if (upload !== undefined) return presentUpload(upload, fileId, resumableParts(upload));
      return presentFile(await read.details(viewer, bucketId, fileId), viewer, fileId);
    });
    serve(scope, storage.update, async ({ viewer, params: { bucketId, fileId }, body }) => {
      checkPermissions(body.permissions);
      const { name, permissions } = body;
      const file = await read.details(viewer, bucketId, fileId);
      if (file.ownerAccountId !== viewer.accountId) throw new Problem('user_unauthorized');
      if (typeof name !== 'string') {
        // They have no effect, but whoever listens expects the answer of the call.
        if (Array.isArray(permissions)) announceFile(platform, 'update', file);
        return presentFile(file, viewer, fileId);
      }
      const renamed = await renameFile(database, file.id, name);
      if (renamed === undefined) throw new Problem('storage_file_not_found');
      announceFile(platform, 'update', renamed);
      return presentFile(renamed, viewer, fileId);
    });
    serve(
      scope,
      storage.view,
      async ({ viewer, params: { bucketId, fileId }, request, reply }) => {
        const file = await read.file(viewer, bucketId, fileId);
        return sendFile(store, request, reply, { ...originalPicture(file), bucketId, size: file.size });
      },
      { picture: 'stored' },
    );
    serve(
      scope,
      storage.download,
      async ({ viewer, params: { bucketId, fileId }, request, reply }) => {
        const file = await read.file(viewer, bucketId, fileId);
        const picture = { ...originalPicture(file), bucketId, size: file.size };
        return sendFile(store, request, reply, picture, file.name);
      },
      { picture: 'stored' },
    );
    const sendPreview: Parameters<typeof serve<typeof storage.preview>>[2] = async ({
      viewer,
      params: { bucketId, fileId },
      query,
      request,
      reply,
    }) => {
      const file = await read.file(viewer, bucketId, fileId);
      const preview = readPreviewRequest(file, query);
      const { picture } = preview;
      const send = (readBytes: (stored: StoredPicture) => Promise<Buffer>, etag = picture.etag) =>
        sendPicture(readBytes, request, reply, { ...picture, bucketId, etag });
      if ('transformation' in preview) {
        const { transformation } = preview;
        const requester = { accountId: viewer.accountId, ip: request.ip };
        const { width, height } = file;
        return send(({ key, sha256 }) =>
          transform({ key, sha256, width, height }, transformation, requester).catch(refuseTransformation),
        );
      }
      const { quality } = preview;
      if (quality >= storedQuality) return send(readStored);
      return send((stored) => previews(stored, quality), picture.etag.replace(/"$/, `-q${quality}"`));
    };
    serve(scope, storage.preview, sendPreview, { picture: 'stored' });
    serve(scope, files.delete, async ({ viewer, params }) => {
      const upload = { id: params.fileId, bucket: params.bucketId, ownerAccountId: viewer.accountId };
      const unfinished = await findUnfinished(database, upload);
      if (unfinished !== undefined) await removeUnfinished(platform, eq(uploadRows.id, unfinished.id));
      const removed = await removeUpload(platform, upload);
      const isGone = removed === undefined && unfinished === undefined;
      if (isGone && !(await isGivenUp(database, upload))) throw new Problem('storage_file_not_found');
      if (removed === undefined) return undefined;
      announceFile(platform, 'delete', removed);
      return undefined;
    });
  });
}
