import type { Readable } from 'node:stream';

/** Part of a file, as bytes from `start` up to and including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Where the bytes of files live: a folder, or a service that does the same. */
export interface FileStore {
  /** Keeps the bytes under the key, whole or not at all, and durably once resolved; replaces what was there. @throws StoreFull */
  put(key: string, content: Uint8Array | Readable): Promise<void>;
  /** @throws FileNotFound. Ask only for ranges inside the file. */
  read(key: string, range?: ByteRange): Promise<Buffer>;
  /** Does nothing when there is no such file. */
  delete(key: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  /** Every file, in no order that a caller may count on; one that is written or deleted meanwhile may be among them or not. */
  list(): AsyncIterable<StoredFile>;
  /** For what takes long before it needs the store. @throws StoreAway while it is known to be away */
  requireAvailable(): void;
}

/** A file as the store lists it. */
export interface StoredFile {
  key: string;
  sizeBytes: number;
}

/** There is no room left for the file. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
}

/** The store does not answer, or cannot do its work now; every method of a store throws it then. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
}

/** There is no file of this key. */
export class FileNotFound extends Error {
  override readonly name = 'FileNotFound';
}

/**
 * Keys are ids and short words joined by slashes, as `avatars/3fk9x/640.webp`: nothing that could climb out of a folder.
 * @throws RangeError
 */
export function checkKey(key: string): string {
  if (key.length > 200 || !/^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/.test(key)) {
    throw new RangeError(
      'A file key is made of letters, digits, _ . - and single slashes, at most 200 of them.',
    );
  }
  return key;
}
