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

const contentStart = version.length + sealLength + keyLength;
/** Bytes before the content: the version and the wrapped key. */
export const headerLength = contentStart;

/** Whether the first bytes of a file are those of an encrypted one. */
export const isEncrypted = (head: Buffer): boolean => head.subarray(0, version.length).equals(version);

/**
 * The keys that open documents, 32 bytes each; the first one encrypts. Read again each time: a rotation changes them.
 */
export type Keyring = () => Promise<readonly [Buffer, ...Buffer[]]>;

function header(masterKey: Buffer, fileKey: Buffer, key: string): Buffer {
  return Buffer.concat([version, seal(masterKey, fileKey, `key:${key}`)]);
}

/** The file's key, or undefined when none of the master keys opens it. */
function openFileKey(sealed: Buffer, key: string, masterKeys: readonly Buffer[]): Buffer | undefined {
  for (const masterKey of masterKeys) {
    try {
      return unseal(masterKey, sealed.subarray(version.length, contentStart), `key:${key}`);
    } catch {
      // Wrapped by another key.
    }
  }
  return undefined;
}

/** The header with the file's key wrapped by `current`, or why it stays as it is. */
export function rewrapHeader(
  sealed: Buffer,
  key: string,
  current: Buffer,
  older: readonly Buffer[],
): Buffer | 'plain' | 'current' | 'unreadable' {
  if (!isEncrypted(sealed)) return 'plain';
  if (openFileKey(sealed, key, [current])) return 'current';
  const fileKey = openFileKey(sealed, key, older);
  return fileKey ? header(current, fileKey, key) : 'unreadable';
}

/**
 * Wraps a store so that what reaches it is encrypted with AES-256-GCM: each file by a random key of its own, that key
 * by the keyring's first one. The file's key is bound in, so two files cannot be exchanged. Holds whole files in memory:
 * meant for documents of a few MB.
 * @param keys a keyring, or the one key of 32 bytes.
 * @throws FileTampered from `read`.
 */
export function encryptedStore(store: FileStore, keys: Keyring | Buffer): FileStore {
  if (typeof keys !== 'function' && keys.length !== keyLength) {
    throw new RangeError('The key must have 32 bytes.');
  }
  const readKeys: Keyring = typeof keys === 'function' ? keys : async () => [keys];

  function decrypt(sealed: Buffer, key: string, masterKeys: readonly Buffer[]): Buffer {
    if (!isEncrypted(sealed)) throw new Error('unknown version');
    if (sealed.length < contentStart + sealLength) throw new Error('too short');
    const fileKey = openFileKey(sealed, key, masterKeys);
    if (!fileKey) throw new Error('wrapped by no known key');
    return unseal(fileKey, sealed.subarray(contentStart), `content:${key}`);
  }

  return {
    async put(key: string, content: Uint8Array | Readable) {
      checkKey(key);
      const plain = content instanceof Uint8Array ? content : await buffer(content);
      const fileKey = randomBytes(keyLength);
      const sealedContent = seal(fileKey, plain, `content:${key}`);
      let [masterKey] = await readKeys();
      for (;;) {
        await store.put(key, Buffer.concat([header(masterKey, fileKey, key), sealedContent]));
        // A rotation that began meanwhile may have passed this file by, and forget the key it was wrapped with.
        const [now] = await readKeys();
        if (now.equals(masterKey)) return;
        masterKey = now;
      }
    },
    async read(key, range) {
      for (let tries = 1; ; tries += 1) {
        const masterKeys = await readKeys();
        const sealed = await store.read(key);
        try {
          const plain = decrypt(sealed, key, masterKeys);
          return range ? plain.subarray(range.start, range.end + 1) : plain;
        } catch (cause) {
          // A rotation may have changed the keys or the header between the two reads: then they fit the next time.
          if (tries === 3) throw new FileTampered(`The file ${key} cannot be decrypted.`, { cause });
        }
      }
    },
    delete: (key) => store.delete(key),
    exists: (key) => store.exists(key),
    list: () => store.list(),
    requireAvailable: () => store.requireAvailable(),
  };
}
