import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import type { FileStore } from '../files/store.ts';

// One thread per preview, and nothing of the pictures is kept by the encoder.
sharp.concurrency(1);
sharp.cache(false);

/** The quality in which variants are stored; better than that there is nothing to send. */
export const storedQuality = 80;
/** Bytes of previews that are kept; the one sent longest ago goes. */
const cacheSizeBytes = 64 * 1024 * 1024;
/** Previews that wait to be encoded; beyond them the stored picture is sent. */
const maxWaiting = 40;

/** A picture as it is stored: one of ours, encoded by the worker. */
interface Stored {
  key: string;
  mimeType: string;
}

async function encode(bytes: Buffer, mimeType: string, quality: number): Promise<Buffer> {
  const picture = sharp(bytes);
  // A quality of 0 is 1 for the encoders.
  const options = { quality: Math.max(1, quality) };
  const encoded =
    mimeType === 'image/webp'
      ? picture.webp(options)
      : mimeType === 'image/png'
        ? picture.png({ ...options, palette: true })
        : picture.jpeg(options);
  const smaller = await encoded.toBuffer();
  return smaller.length < bytes.length ? smaller : bytes;
}

/**
 * Reads stored pictures in a lower quality (§7). Only bytes that this server encoded itself are read, one at a time, and
 * what was made is kept in memory.
 */
export function openPreviews(store: Pick<FileStore, 'read'>) {
  const cache = new LRUCache<string, Buffer>({
    maxSize: cacheSizeBytes,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  const pending = new Map<string, Promise<Buffer>>();
  let latest: Promise<unknown> = Promise.resolve();

  /** The picture in this quality from 0 to 100. @throws FileNotFound */
  return async ({ key, mimeType }: Stored, quality: number): Promise<Buffer> => {
    if (quality >= storedQuality) return store.read(key);
    const id = `${key} ${quality}`;
    const known = cache.get(id) ?? pending.get(id);
    if (known) return known;
    if (pending.size >= maxWaiting) return store.read(key);
    const make = async () => {
      const preview = await encode(await store.read(key), mimeType, quality);
      cache.set(id, preview);
      return preview;
    };
    const result = latest.then(make).finally(() => pending.delete(id));
    latest = result.catch(() => undefined);
    pending.set(id, result);
    return result;
  };
}
