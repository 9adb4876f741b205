import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { seal, sealLength, unseal } from '../seal.ts';
import { checkKey, type FileStore } from './store.ts';

/** An encrypted file was changed, cut, moved to another key, or encrypted with another DOCUMENTS_KEY. */
export class FileTampered extends Error {
  override readonly name = 'FileTampered';
}

/** Says the layout: version, then nonce + tag + wrapped key, then nonce + tag + content. */
const version = Buffer.from('TE01');
const keyLength = 32;

/**
 * Wraps a store so that what reaches it is encrypted with AES-256-GCM: each file by a random key of its own, that key
 * by `masterKey` (32 bytes). The file's key is bound in, so two files cannot be exchanged. Holds whole files in memory:
 * meant for documents of a few MB.
 * @throws FileTampered from `read`.
 */
export function encryptedStore(store: FileStore, masterKey: Buffer): FileStore {
  if (masterKey.length !== keyLength) throw new RangeError('The key must have 32 bytes.');
  return {
    async put(key: string, content: Uint8Array | Readable) {
      checkKey(key);
      const plain = content instanceof Uint8Array ? content : await buffer(content);
      const fileKey = randomBytes(keyLength);
      const sealed = Buffer.concat([
        version,
        seal(masterKey, fileKey, `key:${key}`),
        seal(fileKey, plain, `content:${key}`),
      ]);
      await store.put(key, sealed);
    },
    async read(key, range) {
      const sealed = await store.read(key);
      const contentStart = version.length + sealLength + keyLength;
      try {
        if (!sealed.subarray(0, version.length).equals(version)) throw new Error('unknown version');
        if (sealed.length < contentStart + sealLength) throw new Error('too short');
        const fileKey = unseal(masterKey, sealed.subarray(version.length, contentStart), `key:${key}`);
        const plain = unseal(fileKey, sealed.subarray(contentStart), `content:${key}`);
        return range ? plain.subarray(range.start, range.end + 1) : plain;
      } catch (cause) {
        throw new FileTampered(`The file ${key} cannot be decrypted.`, { cause });
      }
    },
    delete: (key) => store.delete(key),
    exists: (key) => store.exists(key),
  };
}
