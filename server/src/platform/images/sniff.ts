/** Kinds of picture that are taken. */
export type ImageKind = 'jpeg' | 'png';

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Tells the kind by the first bytes; the file's name and declared type say nothing. */
export function sniffKind(bytes: Buffer): ImageKind | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  return bytes.subarray(0, 8).equals(pngSignature) ? 'png' : undefined;
}

/** Whether a PNG announces several frames: its chunks up to the first picture data are walked, nothing is decoded. */
export function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = pngSignature.length; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'acTL') return true;
    if (name === 'IDAT') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}
