import unhomoglyph from 'unhomoglyph';
import { Problem } from '../../platform/problem.ts';

/** What members would take for Tara itself. */
const reserved = ['admin', 'administrator', 'moderator', 'support', 'tara'];

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

const reservedLooks = new Set(reserved.flatMap(looks));

/**
 * Refuses names that look like an admin's or the product's own, in whatever script; 'Tara Reyes' is nobody's.
 * @throws Problem `general_argument_invalid` at each field
 */
export function refuseReserved(names: { name?: string; username?: string }): void {
  const fields = Object.entries(names)
    .filter(([, value]) => looks(value).some((look) => reservedLooks.has(look)))
    .map(([field]) => [field, 'This name is reserved. Please choose another.']);
  if (fields.length > 0)
    throw new Problem('general_argument_invalid', { fields: Object.fromEntries(fields) });
}
