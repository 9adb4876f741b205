import type { Multipart } from '@fastify/multipart';
import { Id } from '@tara/contract/fields';
import type { BucketId } from '@tara/contract/files';
import { bucketLimit } from '@tara/contract/files';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooLarge } from '../features/files/index.ts';
import { Problem } from '../platform/problem.ts';

export interface ReceivedFile {
  /** Wished for by the client; undefined where the server is to choose. */
  id: string | undefined;
  name: string;
  /** Never empty; as they arrived. */
  chunks: readonly Buffer[];
}

/** SDKs send `unique()` where the server is to choose the id. */
function wishedId(field: Multipart | Multipart[] | undefined): string | undefined {
  if (field === undefined || Array.isArray(field) || field.type !== 'field') return undefined;
  if (field.value === 'unique()' || field.value === '') return undefined;
  const id = Id.safeParse(field.value);
  if (!id.success) {
    throw new Problem('general_argument_invalid', { fields: { fileId: id.error.issues[0]?.message ?? '' } });
  }
  return id.data;
}

/** How slowly an upload may arrive. */
export interface UploadPace {
  /** For the whole of it. */
  seconds: number;
  /** Bytes a second, on average over each of the intervals. */
  bytesPerSecond: number;
  intervalSeconds: number;
}

/** 20 MB within a minute; a phone with hardly any reception sends 16 KiB a second. */
export const uploadPace: UploadPace = { seconds: 60, bytesPerSecond: 16 * 1024, intervalSeconds: 5 };

/**
 * Reads until the sender is slower than `pace`. Then the connection is closed with the answer, so that nothing more of it
 * is waited for.
 * @throws Problem `storage_upload_too_slow`
 */
async function readAtPace<Result>(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  pace: UploadPace,
  read: () => Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_resolve, reject) => {
    let secondsLeft = pace.seconds;
    let bytesBefore = raw.socket.bytesRead;
    timer = setInterval(() => {
      // What has arrived whole is no longer the sender's to hurry.
      if (raw.complete) return;
      const arrived = raw.socket.bytesRead - bytesBefore;
      bytesBefore = raw.socket.bytesRead;
      secondsLeft -= pace.intervalSeconds;
      if (secondsLeft > 0 && arrived >= pace.bytesPerSecond * pace.intervalSeconds) return;
      reply.header('connection', 'close');
      reject(new Problem('storage_upload_too_slow'));
    }, pace.intervalSeconds * 1000);
  });
  try {
    return await Promise.race([read(), tooSlow]);
  } finally {
    clearInterval(timer);
  }
}

async function readFile(request: FastifyRequest, bucket: BucketId): Promise<ReceivedFile | null> {
  const limits = {
    fileSize: bucketLimit[bucket],
    files: 1,
    fields: 20,
    fieldSize: 1000,
    parts: 21,
    headerPairs: 20,
  };
  const part = await request.file({ limits });
  if (!part) return null;
  // Not made one: copying 20 MB at once would stop every other request for some milliseconds.
  const chunks: Buffer[] = [];
  for await (const chunk of part.file) {
    if (part.file.truncated) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (part.file.truncated) throw tooLarge(bucket);
  return { id: wishedId(part.fields.fileId), name: part.filename, chunks };
}

/** Receives the one file of a multipart request, never more of it than the bucket takes. @throws Problem */
export async function receiveFile(
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: BucketId,
  pace: UploadPace,
): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw new Problem('storage_file_empty');
  const range = /^bytes \d+-(\d+)\/(\d+)$/.exec(request.headers['content-range'] ?? '');
  if (range && Number(range[1]) + 1 < Number(range[2])) {
    const rule = 'must hold the whole file; pictures are sent in one part';
    throw new Problem('general_argument_invalid', { fields: { 'content-range': rule } });
  }
  const read = () => readFile(request, bucket);
  const file = await readAtPace(request, reply, pace, read).catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    // Whatever else goes wrong while parts are read is the form's own fault: cut off, or not one.
    const rule = 'must be multipart/form-data with one file';
    throw new Problem('general_argument_invalid', { fields: { body: rule }, cause: error });
  });
  if (file === null || file.chunks.length === 0) throw new Problem('storage_file_empty');
  return file;
}
