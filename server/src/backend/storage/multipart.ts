import { Id } from '@tara/contract/fields';
import type { BucketId } from '@tara/contract/files';
import { bucketLimit } from '@tara/contract/files';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type PartRange, readPartRange, tooLarge } from '../../features/files/index.ts';
import { Problem } from '../../platform/problem.ts';
import { checkPermissions } from '../documents/write.ts';

export interface ReceivedFile {
  /** Wished for by the client; undefined where the server is to choose. */
  id: string | undefined;
  name: string;
  /** As they arrived. */
  chunks: readonly Buffer[];
}

/** SDKs send `unique()` where the server is to choose the id. */
function wishedId(values: readonly string[]): string | undefined {
  const [value, ...more] = values;
  if (value === undefined || more.length > 0 || value === 'unique()' || value === '') return undefined;
  const id = Id.safeParse(value);
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

/** Refused: there are more bytes than the bucket takes, or than the part was announced to have. */
const tooMany = (bucket: BucketId, range: PartRange | null) =>
  range === null ? tooLarge(bucket) : new Problem('storage_invalid_content_range');

async function readFile(
  request: FastifyRequest,
  bucket: BucketId,
  range: PartRange | null,
): Promise<ReceivedFile> {
  const limits = {
    fileSize: range?.length ?? bucketLimit[bucket],
    files: 1,
    fields: 120,
    fieldSize: 1000,
    parts: 121,
    headerPairs: 20,
  };
  let name = '';
  // Not made one: copying 20 MB at once would stop every other request for some milliseconds.
  const chunks: Buffer[] = [];
  const fields = new Map<string, string[]>();
  // SDKs send the permissions after the file.
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      const field = part.fieldname.replace(/\[\d*\]$/, '');
      fields.set(field, [...(fields.get(field) ?? []), String(part.value)]);
      continue;
    }
    name = part.filename;
    for await (const chunk of part.file) {
      if (part.file.truncated) chunks.length = 0;
      else chunks.push(chunk);
    }
    if (part.file.truncated) throw tooMany(bucket, range);
  }
  checkPermissions(fields.get('permissions') ?? []);
  return { id: wishedId(fields.get('fileId') ?? []), name, chunks };
}

/** The upload that a part belongs to, as SDKs repeat the id of the first answer. */
function uploadId({ headers }: FastifyRequest): string | undefined {
  const id = headers['x-appwrite-id'];
  if (id === undefined || id === '') return undefined;
  if (!Id.safeParse(id).success) throw new Problem('storage_invalid_appwrite_id');
  return String(id);
}

/**
 * Receives the one file of a multipart request, or the part that its Content-Range announces; never more of it than the bucket takes.
 * @throws Problem
 */
export async function receiveFile(
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: BucketId,
  pace: UploadPace,
): Promise<ReceivedFile & { range: PartRange | null }> {
  const header = request.headers['content-range'];
  const range = header === undefined ? null : readPartRange(header, bucket);
  const begunId = uploadId(request);
  if (!request.isMultipart()) throw new Problem('storage_file_empty');
  const read = () => readFile(request, bucket, range);
  const file = await readAtPace(request, reply, pace, read).catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    // Whatever else goes wrong while parts are read is the form's own fault: cut off, or not one.
    const rule = 'must be multipart/form-data with one file';
    throw new Problem('general_argument_invalid', { fields: { body: rule }, cause: error });
  });
  if (file.chunks.length === 0) throw new Problem('storage_file_empty');
  const sizeBytes = file.chunks.reduce((sum, { length }) => sum + length, 0);
  const announced = range?.length ?? (header === undefined ? sizeBytes : Number(header.split('/')[1]));
  if (sizeBytes !== announced) throw new Problem('storage_invalid_content_range');
  return { ...file, id: begunId ?? file.id, range };
}
