import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import type { FileStore } from '../../platform/files/store.ts';
import type { Sealer } from '../../platform/seal.ts';

/** Where the file of an export is. */
export const exportFileKey = (exportId: string) => `exports/${exportId}`;

const purpose = 'data export';
const algorithm = 'aes-256-gcm';
/** Bytes of one read: a download holds no more of the file in memory. */
const partLength = 1024 * 1024;

const FileKey = z.object({ key: z.string(), nonce: z.string(), tag: z.string() });

/** What opens a stored export. */
export interface StoredExport {
  sealedKey: string;
  sizeBytes: number;
}

/**
 * Stores an export as it is made, encrypted by a key of its own: it holds everything of a person, identity pictures too.
 * @throws what `content` throws; then nothing is stored.
 */
export async function storeExport(
  { files, sealer }: { files: FileStore; sealer: Sealer },
  exportId: string,
  content: Readable,
): Promise<StoredExport> {
  const key = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce);
  let sizeBytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await Promise.all([pipeline(content, count, cipher), files.put(exportFileKey(exportId), cipher)]);
  const secrets = { key, nonce, tag: cipher.getAuthTag() };
  const encoded = Object.fromEntries(
    Object.entries(secrets).map(([name, bytes]) => [name, bytes.toString('base64')]),
  );
  return { sealedKey: sealer.seal(purpose, encoded), sizeBytes };
}

/** Reads a stored export. The stream fails at its end when the file was changed. */
export function readExport(
  { files, sealer }: { files: FileStore; sealer: Sealer },
  exportId: string,
  { sealedKey, sizeBytes }: StoredExport,
): Readable {
  const secrets = FileKey.parse(sealer.open(purpose, sealedKey));
  const [key, nonce, tag] = [secrets.key, secrets.nonce, secrets.tag].map((text) =>
    Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer, Buffer];
  async function* parts() {
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: 16 });
    decipher.setAuthTag(tag);
    for (let start = 0; start < sizeBytes; start += partLength) {
      const end = Math.min(start + partLength, sizeBytes) - 1;
      yield decipher.update(await files.read(exportFileKey(exportId), { start, end }));
    }
    decipher.final();
  }
  return Readable.from(parts(), { objectMode: false });
}
