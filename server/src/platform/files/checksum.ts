import { createHash } from 'node:crypto';
import type { FileStore } from './store.ts';

/** The bytes of a file are not those that were stored: its SHA-256 is another one. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged';
}

/** SHA-256 in hex. */
export const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/**
 * Reads a whole file and compares it with the SHA-256 of when it was stored, if that is known.
 * @throws FileNotFound, FileDamaged, StoreAway
 */
export async function readProven(
  store: Pick<FileStore, 'read'>,
  { key, sha256: expected }: { key: string; sha256?: string | undefined },
): Promise<Buffer> {
  const bytes = await store.read(key);
  if (expected !== undefined && sha256(bytes) !== expected)
    throw new FileDamaged(`The file ${key} has another SHA-256 than when it was stored.`);
  return bytes;
}
