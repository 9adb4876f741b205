import { pictureWidths } from '@tara/contract/limits';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { pngSignature, sniffKind } from './kind.ts';
import { storedQuality } from './preview.ts';
import { ImageRejected } from './rejected.ts';

/** Whether a PNG announces several frames: its chunks up to the first picture data are walked, nothing is decoded. */
function isAnimatedPng(bytes: Buffer): boolean {
  for (let index = pngSignature.length; index + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', index + 4, index + 8);
    if (name === 'acTL') return true;
    if (name === 'IDAT') return false;
    index += 12 + bytes.readUInt32BE(index);
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
export const maxPixels = 50_000_000;
/** §5: pictures are stored in at most 2 MB. */
export const maxStoredBytes = 2 * 1024 * 1024;
/** px; a larger picture is scaled down before anything is encoded, which costs as much as it is large. */
const longestStoredSide = 4096;
/** WebP's own limit for a side. */
const longestSide = 16_383;
/** Qualities of JPEG, the preferred one first. */
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

/** Decoded pixels, row by row. */
interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: OutputInfo['channels'];
}

const openPixels = ({ data, width, height, channels }: Pixels) =>
  sharp(data, { raw: { width, height, channels } });

async function readPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** The picture upright, in sRGB and of its final size: decoded once, whatever is done with it then. */
function decode(bytes: Buffer, maxPixels: number): Promise<Pixels> {
  return readPixels(
    sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels })
      .autoOrient()
      .resize({
        width: longestStoredSide,
        height: longestStoredSide,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .toColourspace('srgb'),
  );
}

/** Every tenth band of 16 rows, the height of JPEG's blocks: what it encodes to predicts the size of the picture. */
function sampleBands({ data, width, channels }: Pixels): Pixels {
  const bandBytes = 16 * width * channels;
  const bands: Buffer[] = [];
  for (let start = 0; start < data.length; start += 10 * bandBytes) {
    bands.push(data.subarray(start, start + bandBytes));
  }
  const sample = Buffer.concat(bands);
  return { data: sample, width, height: sample.length / (width * channels), channels };
}

const toJpeg = (pixels: Pixels, quality: number) =>
  openPixels(pixels).flatten({ background: '#ffffff' }).jpeg({ quality }).toBuffer();

const toPng = (pixels: Pixels) => openPixels(pixels).png().toBuffer();

/** Encodes so that it fits 2 MB: a PNG stays one while it fits; else JPEG, with quality as high as the size allows. */
async function encode(pixels: Pixels, sendsPng: boolean) {
  const sample = sampleBands(pixels);
  /** Bytes of the picture for a byte of the sample. */
  let scale = pixels.height / sample.height;
  // Transparency is lost with the PNG: one that is predicted to be a little too large is tried.
  if (sendsPng && (await toPng(sample)).length * scale <= 2 * maxStoredBytes) {
    const bytes = await toPng(pixels);
    if (bytes.length <= maxStoredBytes) return { bytes, mimeType: 'image/png' as const };
  }
  for (const quality of qualities) {
    const sampleBytes = (await toJpeg(sample, quality)).length;
    if (sampleBytes * scale > maxStoredBytes && quality !== qualities.at(-1)) continue;
    const bytes = await toJpeg(pixels, quality);
    if (bytes.length <= maxStoredBytes) return { bytes, mimeType: 'image/jpeg' as const };
    scale = bytes.length / sampleBytes;
  }
  throw new ImageRejected('too_large');
}

/** The picture in the widths that are sent, each made from the pixels of the largest. */
async function makeVariants(pixels: Pixels, isOpaque: boolean): Promise<ProcessedImage['variants']> {
  const widths = [...new Set(pictureWidths.map((width) => Math.min(width, pixels.width)))];
  const picture = openPixels(pixels).resize({ width: Math.max(...widths) });
  const largest = await readPixels(isOpaque ? picture.flatten({ background: '#ffffff' }) : picture);
  const variants: { width: number; bytes: Buffer }[] = [];
  for (const width of widths) {
    const bytes = await openPixels(largest).resize({ width }).webp({ quality: storedQuality }).toBuffer();
    variants.push({ width, bytes });
  }
  return variants;
}

async function makeThumbhash(picture: Buffer): Promise<string> {
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
    const pixels = await decode(source, limits.maxPixels ?? maxPixels);
    const { bytes, mimeType } = await encode(pixels, kind === 'png');
    const variants = await makeVariants(pixels, mimeType === 'image/jpeg');
    const thumbhash = await makeThumbhash(variants[0]?.bytes ?? bytes);
    return { width: pixels.width, height: pixels.height, thumbhash, mimeType, bytes, variants };
  } catch (error) {
    if (error instanceof ImageRejected) throw error;
    // The decoder's own errors: a damaged or cut file.
    throw new ImageRejected('unreadable', { cause: error });
  }
}
