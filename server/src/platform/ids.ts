import { createHash } from 'node:crypto';
import { drawBytes, drawText } from '@tara/contract/random';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A record's id: 20 characters, random from the first (§3's composites use prefixes of ids, so a time prefix would collide). */
export const newId = () => drawText(20, alphabet);

/** A reference number of 7 characters, as the payment provider gives them, for plans that cost nothing. */
export const newReferenceNumber = () => drawText(7, alphabet);

/** A secret of 256 bits for a cookie or a mail. */
export const newSecret = () => Buffer.from(drawBytes(32)).toString('base64url');

/** What is stored of a secret. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest();
