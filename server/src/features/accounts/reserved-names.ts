import unhomoglyph from 'unhomoglyph';
import { Problem } from '../../platform/problem.ts';

/** What members would take for somebody at work for Tara: nobody has it as one of several words either. */
const roles = ['admin', 'administrator', 'moderator', 'support'];
/** What is reserved alone, and together with words of its kind; a name of somebody else may begin with it. */
const product = 'tara';
/** Words that make no other name of a reserved one. */
const companions = [
  ...[
    'app',
    'bot',
    'care',
    'customer',
    'desk',
    'help',
    'official',
    'payment',
    'payments',
    'ph',
    'philippines',
  ],
  ...['refund', 'refunds', 'security', 'service', 'services', 'staff', 'system', 'team', 'the'],
];
/** Digits and signs that are written for letters. */
const signLetters = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }),
);

/** Small capitals, which the list of confusables keeps apart from their letters. */
const smallCapitals = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍʍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ'].map((letter, index) => [letter, 'abcdefghijklmmnoprstuvwyz'[index] ?? '']),
);

/** Letters and numbers alone: no spaces, marks or signs, nor letters that show nothing (Hangul fillers). */
const lettersAndDigits = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[^\p{L}\p{N}]/gu, '');

/**
 * What a text looks like. In small letters `1` is not like `i`, in capitals it is like `I`, so both are looked at.
 */
function looks(text: string): string[] {
  const plain = lettersAndDigits(text.normalize('NFKC'));
  return [plain, plain.toLowerCase(), plain.toUpperCase()].map((form) => {
    const latin = lettersAndDigits(unhomoglyph(form)).toLowerCase();
    return lettersAndDigits(
      unhomoglyph(latin.replace(/./gu, (letter) => smallCapitals.get(letter) ?? letter)),
    );
  });
}

const looksOf = (words: readonly string[]) => [...new Set(words.flatMap(looks))];
const roleLooks = new Set(looksOf(roles));
const anyOf = (words: readonly string[]) => `(?:${looksOf(words).join('|')})`;
/** One reserved word, alone or among companions. */
const isReservedLook = new RegExp(
  `^${anyOf([...roles, product, ...companions])}*${anyOf([...roles, product])}${anyOf([...roles, product, ...companions])}*$`,
  'u',
);

/** A text as it is, with letters for digits and signs, and both without a number before or after it. */
function spellings(text: string): string[] {
  const plain = text.normalize('NFKC');
  const withLetters = (part: string) => part.replace(/./gu, (sign) => signLetters.get(sign) ?? sign);
  const word = plain.replace(/^[\d\s._-]+|[\d\s._-]+$/gu, '');
  return [plain, withLetters(plain), word, withLetters(word)];
}

/** Whether a name looks reserved. */
export const isReserved = (text: string): boolean =>
  spellings(text).some(
    (spelling) =>
      looks(spelling).some((look) => isReservedLook.test(look)) ||
      spelling.split(/[\s\p{P}]+/u).some((word) => looks(word).some((look) => roleLooks.has(look))),
  );

/**
 * Refuses names that look like an admin's or the product's own, in whatever script, with digits for letters, a number or
 * words such as 'team' beside them; 'Tara Reyes' is somebody's.
 * @throws Problem `general_argument_invalid` at each field
 */
export function refuseReserved(names: { name?: string; username?: string }): void {
  const fields = Object.entries(names)
    .filter(([, value]) => isReserved(value))
    .map(([field]) => [field, 'This name is reserved. Please choose another.']);
  if (fields.length > 0)
    throw new Problem('general_argument_invalid', { fields: Object.fromEntries(fields) });
}
