import { createHash, randomBytes, randomFillSync } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Bytes from here on are drawn again: below it each character is as likely as the others. */
const fair = 256 - (256 % alphabet.length);

/** Random bytes are drawn in blocks: every request has an id, and a draw costs as much as many bytes. */
const block = new Uint8Array(4096);
let used = block.length;

function randomByte(): number {
  if (used === block.length) {
    randomFillSync(block);
    used = 0;
  }
  return block[used++] ?? 0;
}

function random(length: number): string {
  let id = '';
  while (id.length < length) {
    const byte = randomByte();
    if (byte < fair) id += alphabet[byte % alphabet.length];
  }
  return id;
}

/** A record's id: 20 characters, random from the first (§3's composites use prefixes of ids, so a time prefix would collide). */
export const newId = () => random(20);

/** A reference number of 7 characters, as the payment provider gives them, for plans that cost nothing. */
export const newReferenceNumber = () => random(7);

/** A secret of 256 bits for a cookie or a mail. */
export const newSecret = () => randomBytes(32).toString('base64url');

/** What is stored of a secret. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest();
