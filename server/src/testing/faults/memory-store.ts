import { buffer } from 'node:stream/consumers';
import { checkKey, FileNotFound, type FileStore } from '../../platform/files/store.ts';

/** A file store of a test: `keys()` lists what is stored. */
export interface MemoryStore extends FileStore {
  keys(): string[];
}

/** Keeps files in memory. */
export function memoryStore(): MemoryStore {
  const files = new Map<string, Buffer>();
  return {
    put: async (key, content) => {
      files.set(checkKey(key), content instanceof Uint8Array ? Buffer.from(content) : await buffer(content));
    },
    read: async (key, range) => {
      const bytes = files.get(checkKey(key));
      if (bytes === undefined) throw new FileNotFound(`There is no file ${key}.`);
      return range ? bytes.subarray(range.start, range.end + 1) : bytes;
    },
    delete: async (key) => void files.delete(key),
    exists: async (key) => files.has(key),
    list: async function* () {
      for (const [key, { length }] of files) yield { key, sizeBytes: length };
    },
    requireAvailable: () => {},
    keys: () => [...files.keys()].sort(),
  };
}
