/** Where the server and the payment sandbox draw ids, codes and choices from. */
export interface Random {
  /** Fills an array with bytes, of which each value is as likely as the others. */
  fill(bytes: Uint8Array): void;
}

/** Bytes of the system are drawn in blocks: every request has an id, and a draw costs as much as many bytes. */
const block = new Uint8Array(4096);
let used = block.length;

const systemRandom: Random = {
  fill(bytes) {
    for (let filled = 0; filled < bytes.length; ) {
      if (used === block.length) {
        crypto.getRandomValues(block);
        used = 0;
      }
      const part = block.subarray(used, used + bytes.length - filled);
      bytes.set(part, filled);
      // What was drawn may be a secret.
      part.fill(0);
      used += part.length;
      filled += part.length;
    }
  },
};
let random = systemRandom;

/** So many random bytes. */
export function drawBytes(count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count);
  random.fill(bytes);
  return bytes;
}

const drawBits48 = (): number => drawBytes(6).reduce((number, byte) => number * 256 + byte, 0);

/** A whole number from 0 to below `end`, which is at most 2^48; each is as likely as the others. */
export function drawInt(end: number): number {
  // Numbers from here on are drawn again.
  const fair = 2 ** 48 - (2 ** 48 % end);
  for (;;) {
    const number = drawBits48();
    if (number < fair) return number % end;
  }
}

/** A number of at least 0, below 1. */
export const drawFraction = (): number => drawBits48() / 2 ** 48;

/** A text of so many of the characters, which are at most 256 different ones. */
export function drawText(length: number, characters: string): string {
  // Bytes from here on are drawn again.
  const fair = 256 - (256 % characters.length);
  let text = '';
  while (text.length < length) {
    for (const byte of drawBytes(length - text.length))
      if (byte < fair) text += characters[byte % characters.length];
  }
  return text;
}

/** A random UUID (version 4 of RFC 9562). */
export function drawUuid(): string {
  const bytes = drawBytes(16);
  bytes[6] = 0x40 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Lets this thread draw from another source, as a test does that repeats a schedule from a seed. A worker thread has its own.
 * Keys, nonces and salts are drawn from `node:crypto` whatever stands here.
 * @returns a function that puts back the source that was there before
 */
export function replaceRandom(other: Random): () => void {
  const former = random;
  random = other;
  return () => {
    random = former;
  };
}
