import { drawText } from '@tara/contract/random';
import type { Kind } from './kinds.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALPHANUMERIC = `${LETTERS}0123456789`;

/** An id in the provider's format: `pay_` and 24 random letters and digits. */
export const newId = (prefix: string) => `${prefix}_${drawText(24, ALPHANUMERIC)}`;

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
export const newReference = () => drawText(1, LETTERS) + drawText(6, ALPHANUMERIC);
