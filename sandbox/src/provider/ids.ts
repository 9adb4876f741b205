import { randomInt } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SIGNS = `${LETTERS}0123456789`;

const random = (length: number, signs: string) =>
  Array.from({ length }, () => signs[randomInt(signs.length)]).join('');

/** `pay_` and 24 random letters and digits, as the provider's ids look. */
export const newId = (prefix: string) => `${prefix}_${random(24, SIGNS)}`;

/** Seven letters or digits, such as `WTmSJbV`. */
export const newReference = () => random(1, LETTERS) + random(6, SIGNS);
