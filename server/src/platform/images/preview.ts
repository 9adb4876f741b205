import sharp from 'sharp';
import type { Requester } from '../fair-queue.ts';
import { MemoryCache } from '../memory-cache.ts';
import { Problem } from '../problem.ts';
import type { Images } from './queue.ts';
import type { Transformation } from './size.ts';

// One thread per preview, and nothing of the pictures is kept by the encoder.
sharp.concurrency(1);
sharp.cache(false);

/** The quality in which variants are stored; better than that there is nothing to send. */
export const storedQuality = 80;
/** Bytes of previews that are kept; the one sent longest ago goes. */
const cacheSizeBytes = 64 * 1024 * 1024;
/** The same for previews with other parameters, of which callers can ask for any number; larger ones are not kept. */
const transformedCache = { maxSize: 32 * 1024 * 1024, maxEntrySize: 8 * 1024 * 1024 };
/** Previews that wait to be encoded; beyond them the stored picture is sent. */
const maxWaiting = 40;

/** A picture as it is stored: one of ours, encoded by the worker. */
interface Stored {
  key: string;
  mimeType: string;
  sha256?: string | undefined;
}

/** Reads the bytes of a picture. @throws FileNotFound */
type ReadPicture<Picture> = (picture: Picture) => Promise<Buffer>;

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

/** Keeps previews by their id in memory, as much as fits, and makes each once for all who ask at the same time. */
function previewMemory(options: { maxSize: number; maxEntrySize?: number }) {
  const cache = new MemoryCache<string, Buffer>({
    ...options,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  const pending = new Map<string, Promise<Buffer>>();
  return {
    find: (id: string) => cache.get(id) ?? pending.get(id),
    countPending: () => pending.size,
    store: (id: string, making: Promise<Buffer>): Promise<Buffer> => {
      const result = making
        .then((preview) => {
          cache.set(id, preview);
          return preview;
        })
        .finally(() => pending.delete(id));
      pending.set(id, result);
      return result;
    },
  };
}

/**
 * Reads stored pictures in a lower quality (§7). Only bytes that this server encoded itself are read, one at a time, and
 * what was made is kept in memory.
 */
export function openPreviews(read: ReadPicture<Stored>) {
  const memory = previewMemory({ maxSize: cacheSizeBytes });
  let latest: Promise<unknown> = Promise.resolve();

  /** The picture in this quality from 0 to 100. @throws FileNotFound */
  return async (picture: Stored, quality: number): Promise<Buffer> => {
    const { key, mimeType } = picture;
    if (quality >= storedQuality) return read(picture);
    const id = `${key} ${quality}`;
    const known = memory.find(id);
    if (known) return known;
    if (memory.countPending() >= maxWaiting) return read(picture);
    const make = async () => encode(await read(picture), mimeType, quality);
    const result = memory.store(id, latest.then(make));
    latest = result.catch(() => undefined);
    return result;
  };
}

/**
 * Makes previews in any size, shape and format (§7), in the process of uploads and on the account of the one who asks. What was made is
 * kept in memory, as much as fits, and made once for all who ask at the same time.
 */
export function openTransformations<Source extends { key: string; width: number; height: number }>(
  read: ReadPicture<Source>,
  images: Pick<Images, 'transform'>,
) {
  const memory = previewMemory(transformedCache);
  /** In whose turn a preview is made, by account and address: each has limits. */
  const makerKey = ({ accountId, ip }: Requester) => `${accountId} ${ip}`;
  const makers = new WeakMap<Promise<Buffer> | Buffer, string>();

  /** @throws FileNotFound, and as `Images.transform` */
  return async (source: Source, transformation: Transformation, requester: Requester): Promise<Buffer> => {
    const { key, width, height } = source;
    const id = `${key} ${JSON.stringify(transformation)}`;
    let known = memory.find(id);
    while (known) {
      try {
        return await known;
      } catch (error) {
        // It was made in the turn of another requester, whose limits refused it: it is made in one's own then.
        if (!(error instanceof Problem) || makers.get(known) === makerKey(requester)) throw error;
        known = memory.find(id);
      }
    }
    const make = async () => {
      const picture = { read: () => read(source), width, height };
      const preview = await images.transform(picture, transformation, requester);
      // The process answers bytes of its own kind of array.
      return Buffer.from(preview.buffer, preview.byteOffset, preview.byteLength);
    };
    const making = memory.store(id, make());
    makers.set(making, makerKey(requester));
    return making;
  };
}
