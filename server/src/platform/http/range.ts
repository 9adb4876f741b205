import type { ByteRange } from '../files/store.ts';

/**
 * Reads a Range header for a file of `size` bytes: one range, from its start, or its last bytes. Null when it asks for anything else,
 * or for bytes behind the end, which the backend service refuses too.
 */
export function readRange(header: string, size: number): ByteRange | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (first === '') {
    const length = Number(last);
    return length > 0 ? { start: Math.max(0, size - length), end: size - 1 } : null;
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Number(last);
  return start <= end && end < size ? { start, end } : null;
}
