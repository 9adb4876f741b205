import { sniffKind } from './kind.ts';

/** Bytes of an upload that are looked at: in front of a JPEG's size may be its colour profile, and a smaller picture. */
const headerBytes = 256 * 1024;

/** The first bytes of an upload that came in parts. */
function firstBytes(upload: readonly Uint8Array[]): Buffer {
  let length = 0;
  const parts = upload.filter((part) => {
    const isFirst = length < headerBytes;
    length += part.length;
    return isFirst;
  });
  return Buffer.concat(parts, Math.min(length, headerBytes));
}

/** Width × height of a JPEG: its segments are walked up to the one that has them. */
function jpegPixels(bytes: Buffer): number {
  for (let index = 2; index + 9 <= bytes.length; ) {
    if (bytes[index] !== 0xff) break;
    const marker = bytes[index + 1] ?? 0;
    // A frame: SOF0 to SOF15, of which three numbers mean something else.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return bytes.readUInt16BE(index + 5) * bytes.readUInt16BE(index + 7);
    // A marker may be preceded by further 0xff.
    index += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(index + 2);
  }
  return Number.POSITIVE_INFINITY;
}

/** How many pixels the header of an upload announces, without a decoder; infinite where it does not say. */
export function headerPixels(upload: readonly Uint8Array[]): number {
  const bytes = firstBytes(upload);
  const kind = sniffKind(bytes);
  if (kind === 'jpeg') return jpegPixels(bytes);
  if (kind === 'png' && bytes.length >= 24) return bytes.readUInt32BE(16) * bytes.readUInt32BE(20);
  // It is refused at once.
  return kind === undefined ? 0 : Number.POSITIVE_INFINITY;
}
