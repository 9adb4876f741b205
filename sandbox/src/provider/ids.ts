import { randomInt } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALPHANUMERIC = `${LETTERS}0123456789`;

const random = (length: number, characters: string) =>
  Array.from({ length }, () => characters[randomInt(characters.length)]).join('');

/** An id in the provider's format: `pay_` and 24 random letters and digits. */
export const newId = (prefix: string) => `${prefix}_${random(24, ALPHANUMERIC)}`;

/** Seven letters or digits, such as `WTmSJbV`. */
export const newReference = () => random(1, LETTERS) + random(6, ALPHANUMERIC);
