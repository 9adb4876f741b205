import {
  type BucketId,
  bucketLimit,
  fileProblem,
  files,
  type File as StoredFile,
} from '@tara/contract/files';
import { upload as limits } from '@tara/contract/limits';
import { invalidFileSize, notices } from '@tara/contract/notices';
import { addressOf, problemOf } from './call.ts';
import { OfflineError, type Words } from './failure.ts';

interface UploadOptions {
  /** 0 to 1. */
  onProgress?: (part: number) => void;
  signal?: AbortSignal;
}

/** Why a chosen file cannot be uploaded, in the words of §8; null when it can. Show it for 3 s (§9). */
export function chosenFileWords(file: File, bucket: BucketId): Words | null {
  const problem = fileProblem(file, bucket);
  if (problem === null) return null;
  return problem === 'storage_invalid_file_size'
    ? invalidFileSize(bucketLimit[bucket])
    : notices.unsupportedFileType;
}

/**
 * Makes a large picture smaller (§5: at most 2 MB, same width and height), then sends it with progress.
 * Answers the stored file: its `$id` is the `imageId` of the forms.
 * @throws ProblemError, OfflineError, AbortError as `call` does.
 */
export async function uploadPicture(
  file: File,
  bucket: BucketId,
  { onProgress, signal }: UploadOptions = {},
): Promise<StoredFile> {
  signal?.throwIfAborted();
  let sent: Blob = file;
  if (file.size > limits.compressed) {
    const { compressed } = await import('./compress.ts');
    sent = await compressed(file, signal);
  }
  const form = new FormData();
  form.set('fileId', 'unique()');
  form.set('file', sent, file.name);
  return send(addressOf(files.create, { params: { bucketId: bucket } }), form, onProgress, signal);
}

/** `fetch` tells no upload progress, so this is the one place that does without it. */
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
      if (request.status >= 400) reject(problemOf(request.status, request.responseText));
      // The boundary of the contract: the server's own shape of a stored file.
      else resolve(JSON.parse(request.responseText) as StoredFile);
    });
    request.addEventListener('error', () => reject(new OfflineError()));
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    request.open('POST', address);
    request.send(form);
  });
}
