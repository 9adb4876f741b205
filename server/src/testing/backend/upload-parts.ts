import type { Member } from '../features/members.ts';
import { pictureBytes } from '../features/pictures.ts';
import { type Sent, test } from './storage.ts';

/** The size of parts that other clients send (§9). */
export const partBytes = 5_242_880;
/** Bytes of a file of three parts. */
export const size = 2 * partBytes + 1000;

/** A picture, and bytes behind it, which are dropped: as large as a file of three parts. */
export const largeFile = async () => {
  const picture = await pictureBytes();
  return Buffer.concat([picture, Buffer.alloc(size - picture.length)]);
};

interface SentPart {
  index: number;
  whole: Buffer;
  /** From the first reply. */
  id?: string;
  fileId?: string;
  bucket?: string;
  range?: string;
}

/** One part of a file, as SDKs send it. */
export function filePart({ index, whole, id, fileId = 'unique()', bucket, range }: SentPart): Sent {
  const start = index * partBytes;
  const bytes = whole.subarray(start, start + partBytes);
  const contentRange = range ?? `bytes ${start}-${start + bytes.length - 1}/${whole.length}`;
  const headers = { 'content-range': contentRange, ...(id ? { 'x-appwrite-id': id } : {}) };
  return { bytes, bucket, fileId, headers, name: 'large.jpg' };
}

/** Tests of uploads in parts: how a part is sent, and what is stored of them. */
export const partsTest = test
  .extend(
    'sendPart',
    { scope: 'file' },
    ({ send }) =>
      (who: Member, part: SentPart) =>
        send(who, filePart(part)),
  )
  .extend('keys', { scope: 'file' }, ({ platform }) => (prefix: string) => {
    return platform.files.keys().filter((key) => key.startsWith(prefix));
  })
  .extend('large', { scope: 'file' }, () => largeFile());
