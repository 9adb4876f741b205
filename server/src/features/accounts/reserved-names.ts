import anyAscii from 'any-ascii';
import unhomoglyph from 'unhomoglyph';
import { Problem } from '../../platform/problem.ts';

/** What members would take for somebody at work for Tara: nobody has it as one of several words either. */
const roles = [
  ...['admin', 'admins', 'administrator', 'superadmin', 'sysadmin', 'moderator', 'moderators', 'support'],
  ...['official', 'officials', 'staff', 'system', 'helpdesk', 'helpline', 'hotline', 'webmaster'],
  ...['billing', 'payments', 'refunds', 'security', 'gcash', 'paymongo', 'paymaya', 'grabpay'],
];
/** The same in two words, side by side. */
const rolePairs = [
  'help desk',
  'customer service',
  'customer care',
  'pay mongo',
  'g cash',
  'pay maya',
  'grab pay',
];
/** What is reserved alone, and together with words of its kind; a name of somebody else may begin with it. */
const product = 'tara';
/** Words that make no other name of a reserved one. */
const companions = [
  ...['app', 'bot', 'care', 'customer', 'desk', 'help', 'payment', 'ph', 'philippines'],
  ...['refund', 'service', 'services', 'team', 'the'],
];
/** Digits and signs that are written for letters. */
const signLetters = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }),
);

/** Letters and numbers alone: no spaces, marks or signs, nor letters that show nothing (Hangul fillers). */
const lettersAndDigits = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[^\p{L}\p{N}]/gu, '');

/**
 * What a text looks like: by the shapes of Unicode's confusables (UTS 39), and by its base letters, for those that have a
 * hook or a turn of their own. In small letters `1` is not like `i`, in capitals it is like `I`, so both are looked at.
 */
function looks(text: string): string[] {
  const plain = lettersAndDigits(text.normalize('NFKC'));
  const forms = [plain, plain.toLowerCase(), plain.toUpperCase()];
  const shapes = [...forms, ...forms.map((form) => unhomoglyph(form))];
  return shapes.map((shape) => lettersAndDigits(unhomoglyph(anyAscii(shape).toLowerCase())));
}

const listLooks = (words: readonly string[]) => [...new Set(words.flatMap(looks))];
const roleLooks = new Set(listLooks(roles));
const rolePairLooks = new Set(listLooks(rolePairs));
const alternatives = (words: readonly string[]) => `(?:${listLooks(words).join('|')})`;
/** One reserved word, alone or among companions. */
const isReservedLook = new RegExp(
  `^${alternatives([...roles, product, ...companions])}*${alternatives([...roles, product])}${alternatives([...roles, product, ...companions])}*$`,
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
  spellings(text).some((spelling) => {
    if (looks(spelling).some((look) => isReservedLook.test(look))) return true;
    const words = spelling.split(/[\s\p{P}]+/u);
    const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
    return (
      words.some((word) => looks(word).some((look) => roleLooks.has(look))) ||
      pairs.some((pair) => looks(pair).some((look) => rolePairLooks.has(look)))
    );
  });

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
