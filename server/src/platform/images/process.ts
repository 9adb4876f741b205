import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { ImageRejected } from './rejected.ts';
import { isAnimatedPng, sniffKind } from './sniff.ts';

// One thread per picture: the queue decides how many are worked on, and the event loop keeps a core.
sharp.concurrency(1);
sharp.cache(false);

/** What may come in. */
export interface ImageLimits {
  /** Most bytes of the upload. */
  readonly maxBytes: number;
  /** Most width × height; 50 million unless given. */
  readonly maxPixels?: number;
  /** Most seconds for each decoding; 10 unless given. */
  readonly seconds?: number;
}

/** A picture as it is kept: upright, without metadata, in its own width and height. */
export interface ProcessedImage {
  /** px, after turning upright. */
  readonly width: number;
  readonly height: number;
  /** Base64 of a ThumbHash. */
  readonly thumbhash: string;
  readonly mimeType: 'image/jpeg' | 'image/png';
  /** At most 2 MB (§5). */
  readonly bytes: Buffer;
  /** WebP, from small to large, never wider than the picture; at least one. */
  readonly variants: readonly { readonly width: number; readonly bytes: Buffer }[];
}

/** §5: pictures are kept in at most 2 MB. */
const mostKeptBytes = 2 * 1024 * 1024;
const variantWidths = [96, 320, 640, 1080];
/** WebP's own limit for a side. */
const longestSide = 16_383;
const qualities = [82, 70, 55, 40, 25, 12, 4, 1];

async function checkHeader(bytes: Buffer, limits: ImageLimits) {
  if (bytes.length > limits.maxBytes) throw new ImageRejected('too_large');
  const kind = sniffKind(bytes);
  if (!kind || (kind === 'png' && isAnimatedPng(bytes))) throw new ImageRejected('unsupported_type');
  const { format, width, height, hasAlpha } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (format !== kind || !width || !height) throw new ImageRejected('unreadable');
  if (width * height > (limits.maxPixels ?? 50_000_000) || Math.max(width, height) > longestSide) {
    throw new ImageRejected('too_many_pixels');
  }
  return { kind, hasAlpha };
}

/** Encodes so that it fits 2 MB: a PNG stays one while it fits; else JPEG, with quality as high as the size allows. */
async function encode(decoded: () => Sharp, kind: 'jpeg' | 'png', hasAlpha: boolean) {
  if (kind === 'png') {
    const { data, info } = await decoded().png().toBuffer({ resolveWithObject: true });
    if (data.length <= mostKeptBytes) return { bytes: data, info, mimeType: 'image/png' as const };
  }
  const opaque = () => (hasAlpha ? decoded().flatten({ background: '#ffffff' }) : decoded());
  for (const quality of qualities) {
    const { data, info } = await opaque().jpeg({ quality }).toBuffer({ resolveWithObject: true });
    if (data.length <= mostKeptBytes) return { bytes: data, info, mimeType: 'image/jpeg' as const };
  }
  throw new ImageRejected('too_large');
}

async function thumbhashOf(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture)
    .resize(100, 100, { fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

/**
 * Checks, decodes and re-encodes an uploaded picture. Only what was decoded goes on: whatever else the file carried
 * (location, comments, a second file behind the picture) is gone.
 * @throws ImageRejected
 */
export async function processImage(upload: Uint8Array, limits: ImageLimits): Promise<ProcessedImage> {
  const bytes = Buffer.from(upload.buffer, upload.byteOffset, upload.byteLength);
  const seconds = limits.seconds ?? 10;
  try {
    const { kind, hasAlpha } = await checkHeader(bytes, limits);
    const decoded = () =>
      sharp(bytes, { failOn: 'error', limitInputPixels: limits.maxPixels ?? 50_000_000 })
        .timeout({ seconds })
        .autoOrient()
        .toColourspace('srgb');
    const { bytes: kept, info, mimeType } = await encode(decoded, kind, hasAlpha);
    const widths = new Set(variantWidths.map((width) => Math.min(width, info.width)));
    const variants: { width: number; bytes: Buffer }[] = [];
    for (const width of widths) {
      const variant = await sharp(kept)
        .timeout({ seconds })
        .resize({ width })
        .webp({ quality: 80 })
        .toBuffer();
      variants.push({ width, bytes: variant });
    }
    const thumbhash = await thumbhashOf(variants[0]?.bytes ?? kept);
    return { width: info.width, height: info.height, thumbhash, mimeType, bytes: kept, variants };
  } catch (error) {
    if (error instanceof ImageRejected) throw error;
    // The decoder's own errors: a damaged or cut file, or one that took too long.
    throw new ImageRejected('unreadable', { cause: error });
  }
}
