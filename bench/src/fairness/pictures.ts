import { randomBytes } from 'node:crypto';
import { pngFile } from '@tara/server/testing/png';

/** A PNG of these pixels, three bytes each. */
function png(width: number, height: number, pixels: (row: number) => Buffer, level: number): Buffer {
  const rows = Array.from({ length: height }, (_, row) => Buffer.concat([Buffer.alloc(1), pixels(row)]));
  return pngFile(width, height, Buffer.concat(rows), level);
}

/** A form with a picture, ready to be sent: nothing of it is made again while others are measured. */
export function pictureForm(picture: Buffer): { contentType: string; body: Buffer } {
  const head =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  return {
    contentType: 'multipart/form-data; boundary=x',
    body: Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--x--\r\n')]),
  };
}

/** 20 MB that no encoder makes smaller: every quality is tried. */
export const noisePicture = () => png(2_600, 2_550, () => randomBytes(2_600 * 3), 1);
/** Bytes that are black or white by chance: they take little more than a bit each, and stay noise when scaled down. */
function blackOrWhite(length: number): Buffer {
  const bits = randomBytes(Math.ceil(length / 8));
  return Buffer.from(
    new Uint8Array(length).map((_, index) => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1 ? 255 : 0)),
  );
}

/** As many pixels as are taken, in less than 20 MB; two of five rows are black to keep it below. */
export const largestPicture = () =>
  png(7_000, 7_000, (row) => (row % 5 < 3 ? blackOrWhite(21_000) : Buffer.alloc(21_000)), 1);
/** What others upload: a few kilobytes. */
export const smallPicture = () => png(400, 300, (row) => Buffer.alloc(1_200, row % 256), 6);
/** Stored in nearly the 2 MB that are the most. */
export const readPicture = () => png(1_500, 1_400, () => randomBytes(1_500 * 3), 1);
