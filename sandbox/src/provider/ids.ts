import { randomInt } from 'node:crypto';
import type { Kind } from './kinds.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALPHANUMERIC = `${LETTERS}0123456789`;

const random = (length: number, characters: string) =>
  Array.from({ length }, () => characters[randomInt(characters.length)]).join('');

/** An id in the provider's format: `pay_` and 24 random letters and digits. */
export const newId = (prefix: string) => `${prefix}_${random(24, ALPHANUMERIC)}`;

/** The beginning of each kind's ids. */
export const ID_PREFIXES: Record<Kind, string> = {
  link: 'link',
  payment_intent: 'pi',
  payment_method: 'pm',
  source: 'src',
  payment: 'pay',
  dispute: 'dsp',
  refund: 'ref',
  webhook: 'hook',
  transfer: 'tr',
};

/** Seven letters or digits, such as `WTmSJbV`. */
export const newReference = () => random(1, LETTERS) + random(6, ALPHANUMERIC);
