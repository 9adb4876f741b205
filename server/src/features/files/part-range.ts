import { type BucketId, bucketLimit } from '@tara/contract/files';
import { upload as limits } from '@tara/contract/limits';
import { Problem } from '../../platform/problem.ts';
import { tooLarge } from './upload.ts';

/** The part of a file that a request carries. */
export interface PartRange {
  /** Of the part, from 0. */
  index: number;
  /** Bytes of the part. */
  length: number;
  /** Bytes of the whole file. */
  size: number;
}

/** In how many parts a file of so many bytes comes. */
export const partCount = (size: number) => Math.ceil(size / limits.part);

/**
 * Reads the Content-Range of an upload; null when it covers the whole file. All parts but the last have 5 MiB, so each begins at
 * a multiple of it. SDKs before 13.0.0 announce the end of the last one as one too far.
 * @throws Problem `storage_invalid_content_range`; `storage_invalid_file_size` by the announced size, before anything is read
 */
export function readPartRange(header: string, bucket: BucketId): PartRange | null {
  const [, ...numbers] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header.trim()) ?? [];
  const [start = 0, end = 0, size = 0] = numbers.map(Number);
  const length = Math.min(limits.part, size - start);
  const last = start + length - 1;
  const isWhole = start === 0 && end === size - 1;
  const isPart = start % limits.part === 0 && (end === last || (end === size && last === size - 1));
  if (start >= size || !(isWhole || isPart)) throw new Problem('storage_invalid_content_range');
  if (size > bucketLimit[bucket]) throw tooLarge(bucket);
  return isWhole ? null : { index: start / limits.part, length, size };
}

/** How many of the first parts are there without a gap: never all, since what comes then completes the file. */
export function resumableParts({ parts, size }: { parts: readonly number[]; size: number }): number {
  let count = 0;
  while (parts.includes(count)) count++;
  return Math.min(count, partCount(size) - 1);
}
