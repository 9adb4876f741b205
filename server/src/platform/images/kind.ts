/** Kinds of picture that are taken. */
export type ImageKind = 'jpeg' | 'png';

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** The kind by the first bytes; the file's name and declared type are not used. */
export function sniffKind(bytes: Buffer): ImageKind | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  return bytes.subarray(0, 8).equals(pngSignature) ? 'png' : undefined;
}
