import {
  type BucketId,
  bucketLimit,
  fileProblem,
  files,
  pictureUrl,
  type File as StoredFile,
} from '@tara/contract/files';
import { upload as limits, previewQuality } from '@tara/contract/limits';
import { invalidFileSize, notices } from '@tara/contract/notices';
import { callUrl } from '@tara/contract/url';
import { call, NotAnImageError, type Notice, OfflineError, toProblemError } from './call.ts';
import workerAddress from './compress.worker.ts?worker&url';
import { trustedScriptUrl } from './script-url.ts';

/** The upload of one picture. */
export type UploadState =
  | { step: 'idle' }
  /** `progress` from 0 to 1. */
  | { step: 'uploading'; file: File; progress: number }
  | { step: 'failed'; file: File; error: unknown }
  /** `file` is null for a picture that was stored before this page was opened. */
  | { step: 'stored'; file: File | null; id: string };

interface UploadOptions {
  /** 0 to 1. */
  onProgress?: (part: number) => void;
  signal?: AbortSignal;
}

/** By the name too: not every browser knows the type. */
const isHeic = ({ type, name }: File) => /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

/** Why a chosen file cannot be uploaded, as a notice of §8; null if it can. */
export function refusedFileNotice(file: File, bucket: BucketId): Notice | null {
  const problem = fileProblem(file, bucket);
  if (problem === null) return null;
  if (problem === 'storage_invalid_file_size') return invalidFileSize(bucketLimit[bucket]);
  return isHeic(file) ? notices.heicPhoto : notices.unsupportedFileType;
}

/** 'JPG or PNG, up to 20 MB' */
export const pictureRule = (bucket: BucketId) => `JPG or PNG, up to ${bucketLimit[bucket] / 1024 / 1024} MB`;

/** The stored picture at the width in pixels that a form shows. */
export const previewUrl = (bucketId: BucketId, fileId: string) =>
  `${pictureUrl(bucketId, fileId)}?width=640&quality=${previewQuality.uploaded}`;

/** Whether the browser can show what is stored. */
export async function isDisplayable(bucket: BucketId, fileId: string): Promise<boolean> {
  const image = new Image();
  image.src = previewUrl(bucket, fileId);
  try {
    await image.decode();
    return true;
  } catch {
    // Browsers cannot decode it: the caller reports that.
    return false;
  }
}

/** Deletes a stored file that nothing uses. Best effort: the server removes such files within a day. */
export function deleteFile(bucketId: BucketId, fileId: string): void {
  call(files.delete, { params: { bucketId, fileId } }).catch(() => undefined);
}

const signatures = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
];

/** Whether the file begins as a JPEG or PNG does, whatever its name and type say. */
async function isPicture(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  return signatures.some((signature) => signature.every((byte, index) => start[index] === byte));
}

/**
 * Makes a large picture smaller (§5: at most 2 MB, same width and height), then sends it with progress. A post's, plan's
 * or member's picture that cannot be shown once it is stored is deleted again (§5).
 * @returns the stored file's id: the `imageId` of the forms
 * @throws NotAnImageError before anything is sent (§8); ProblemError, OfflineError, AbortError as `call` does.
 */
export async function uploadPicture(
  file: File,
  bucket: BucketId,
  { onProgress, signal }: UploadOptions = {},
): Promise<string> {
  signal?.throwIfAborted();
  if (!(await isPicture(file))) {
    console.warn('The file is not an image', file.name, file.type);
    throw new NotAnImageError();
  }
  let sent: Blob = file;
  if (file.size > limits.compressed) {
    sent = await compressPicture(file, signal);
  }
  const form = new FormData();
  form.set('fileId', 'unique()');
  form.set('file', sent, file.name);
  const address = callUrl(files.create, { params: { bucketId: bucket } });
  const { $id } = await send(address, form, onProgress, signal);
  // Files of the other buckets have no preview for their owner.
  if (bucket === 'images' && !(await isDisplayable(bucket, $id))) {
    deleteFile(bucket, $id);
    throw new Error('The stored picture cannot be shown.');
  }
  return $id;
}

/** Uses XMLHttpRequest because `fetch` reports no upload progress. */
function send(
  address: string,
  form: FormData,
  onProgress: UploadOptions['onProgress'],
  signal: AbortSignal | undefined,
): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort, { once: true });
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress?.(loaded / total);
    });
    request.addEventListener('load', () => {
      if (request.status >= 400) reject(toProblemError(request.status, request.responseText));
      // The boundary of the contract: the server's own shape of a stored file.
      else resolve(JSON.parse(request.responseText) as StoredFile);
    });
    request.addEventListener('error', () => reject(new OfflineError()));
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    request.open('POST', address);
    request.send(form);
  });
}

/** Upper limit for compression; large PNGs can take several seconds. */
const TIMEOUT_MS = 10_000;

/** Compresses a picture to at most 2 MB in our own worker (the library would load its worker from another site).
 * If that fails, returns the original: the server compresses stored pictures anyway.
 * @throws AbortError when cancelled.
 */
export function compressPicture(file: File, signal?: AbortSignal): Promise<Blob> {
  let worker: Worker;
  let timeout: ReturnType<typeof setTimeout>;
  try {
    worker = new Worker(trustedScriptUrl(workerAddress), { type: 'module' });
  } catch (error) {
    console.warn('Pictures cannot be compressed in this browser', error);
    return Promise.resolve(file);
  }
  return new Promise<Blob>((resolve, reject) => {
    const resolveOriginal = (reason: unknown) => {
      console.warn('The picture is uploaded uncompressed', reason);
      resolve(file);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Blob | string>) =>
      data instanceof Blob ? resolve(data) : resolveOriginal(data),
    );
    worker.addEventListener('error', (event) => resolveOriginal(event.message));
    timeout = setTimeout(() => resolveOriginal('Compression timed out'), TIMEOUT_MS);
    signal?.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')), {
      once: true,
    });
    worker.postMessage(file);
  }).finally(() => {
    clearTimeout(timeout);
    worker.terminate();
  });
}
