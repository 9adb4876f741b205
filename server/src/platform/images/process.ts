import { pictureWidths } from '@tara/contract/limits';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { storedQuality } from './preview.ts';
import { ImageRejected } from './rejected.ts';

/** Kinds of picture that are taken. */
type ImageKind = 'jpeg' | 'png';

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Tells the kind by the first bytes; the file's name and declared type say nothing. */
function sniffKind(bytes: Buffer): ImageKind | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  return bytes.subarray(0, 8).equals(pngSignature) ? 'png' : undefined;
}

/** Whether a PNG announces several frames: its chunks up to the first picture data are walked, nothing is decoded. */
function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = pngSignature.length; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'acTL') return true;
    if (name === 'IDAT') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}

// One thread per picture: the queue decides how many are worked on, and the event loop keeps a core.
sharp.concurrency(1);
sharp.cache(false);

/** What may come in. */
export interface ImageLimits {
  /** Most bytes of the upload. */
  readonly maxBytes: number;
  /** Most width × height; 50 million unless given. */
  readonly maxPixels?: number;
  /** Most seconds of CPU time for the whole picture, which the queue watches over; 20 unless given. */
  readonly seconds?: number;
}

/** A picture as it is stored: upright, without metadata, in its own width and height up to 4096 px a side. */
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

/** Most width × height of an upload, unless its limits say otherwise. */
const maxPixels = 50_000_000;
/** §5: pictures are stored in at most 2 MB. */
const maxStoredBytes = 2 * 1024 * 1024;
/** px; a larger picture is scaled down before anything is encoded, because each try to encode it costs as much as it is large. */
const longestStoredSide = 4096;
/** WebP's own limit for a side. */
const longestSide = 16_383;
/** Of JPEG, the wished one first. */
const qualities = [82, 70, 55, 40, 25, 12, 4, 1] as const;

async function checkHeader(bytes: Buffer, limits: ImageLimits) {
  if (bytes.length > limits.maxBytes) throw new ImageRejected('too_large');
  const kind = sniffKind(bytes);
  if (!kind || (kind === 'png' && isAnimatedPng(bytes))) throw new ImageRejected('unsupported_type');
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (format !== kind || !width || !height) throw new ImageRejected('unreadable');
  if (width * height > (limits.maxPixels ?? maxPixels) || Math.max(width, height) > longestSide) {
    throw new ImageRejected('too_many_pixels');
  }
  return kind;
}

/** The picture upright, in sRGB and of its final size, as bare pixels: decoded once, whatever is done with it then. */
async function decode(bytes: Buffer, maxPixels: number) {
  const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels })
    .autoOrient()
    .resize({ width: longestStoredSide, height: longestStoredSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, pixels: () => sharp(data, { raw: { width, height, channels } }) };
}

/** Encodes so that it fits 2 MB: a PNG stays one while it fits; else JPEG, with quality as high as the size allows. */
async function encode(pixels: () => Sharp, sendsPng: boolean) {
  if (sendsPng) {
    const bytes = await pixels().png().toBuffer();
    if (bytes.length <= maxStoredBytes) return { bytes, mimeType: 'image/png' as const };
  }
  const inQuality = (quality: number) =>
    pixels().flatten({ background: '#ffffff' }).jpeg({ quality }).toBuffer();
  const wished = await inQuality(qualities[0]);
  if (wished.length <= maxStoredBytes) return { bytes: wished, mimeType: 'image/jpeg' as const };
  // The best of the others, found by halving: three more tries at most.
  let best: Buffer | null = null;
  let others = qualities.slice(1);
  while (others.length > 0) {
    const middle = Math.floor(others.length / 2);
    const bytes = await inQuality(others[middle] ?? 1);
    if (bytes.length <= maxStoredBytes) best = bytes;
    others = bytes.length <= maxStoredBytes ? others.slice(0, middle) : others.slice(middle + 1);
  }
  if (best === null) throw new ImageRejected('too_large');
  return { bytes: best, mimeType: 'image/jpeg' as const };
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
  const source = Buffer.from(upload.buffer, upload.byteOffset, upload.byteLength);
  try {
    const kind = await checkHeader(source, limits);
    const { width, height, pixels } = await decode(source, limits.maxPixels ?? maxPixels);
    const { bytes, mimeType } = await encode(pixels, kind === 'png');
    const variants: { width: number; bytes: Buffer }[] = [];
    for (const variantWidth of new Set(pictureWidths.map((wished) => Math.min(wished, width)))) {
      const variant = await sharp(bytes)
        .resize({ width: variantWidth })
        .webp({ quality: storedQuality })
        .toBuffer();
      variants.push({ width: variantWidth, bytes: variant });
    }
    const thumbhash = await thumbhashOf(variants[0]?.bytes ?? bytes);
    return { width, height, thumbhash, mimeType, bytes, variants };
  } catch (error) {
    if (error instanceof ImageRejected) throw error;
    // The decoder's own errors: a damaged or cut file.
    throw new ImageRejected('unreadable', { cause: error });
  }
}
