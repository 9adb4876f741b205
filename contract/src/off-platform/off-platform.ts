import { messageLength } from '../limits.ts';
import { conjunctions, emailDomains, fillers, type Phrases, phrases, spellings, turns } from './phrases.ts';
import { type Rule, rules } from './rules.ts';

/** The words that `*` in a phrase stands for, the reach of a refusal before a match, and of `unless` around it. */
const reach = { star: 3, refusal: 4, unless: 7 };
const end = '#end';
const comma = '#comma';

interface Phrase {
  words: string[];
  list: Phrases | 'filler';
}

/** Each phrase written out, without `{name}`. */
function expand(phrase: string): string[] {
  const open = phrase.indexOf('{');
  if (open < 0) return [phrase];
  const close = phrase.indexOf('}', open);
  const list = phrases[phrase.slice(open + 1, close) as Phrases];
  return list.flatMap((word) => expand(phrase.slice(0, open) + word + phrase.slice(close + 1)));
}

const fillerWords = new Set(fillers.filter((filler) => !filler.includes(' ')));
const stopWords = new Set([...conjunctions, comma, end]);
const starStops = new Set([...turns, comma, end]);

/** The phrases by their first word. */
function indexPhrases(
  lists: ReadonlyArray<readonly [Phrase['list'], readonly string[]]>,
): Map<string, Phrase[]> {
  const index = new Map<string, Phrase[]>();
  for (const [list, written] of lists)
    for (const phrase of written.flatMap(expand)) {
      const words = phrase.split(' ');
      const first = words[0];
      if (first === undefined) continue;
      const known = index.get(first);
      if (known) known.push({ words, list });
      else index.set(first, [{ words, list }]);
    }
  return index;
}

const fillerPhrases = indexPhrases([['filler', fillers.filter((filler) => filler.includes(' '))]]);
const ruleParts = rules.map((rule) => ({ rule, parts: rule.all.map((part) => [part].flat()) }));
const phraseIndex = indexPhrases(Object.entries(phrases) as Array<[Phrases, readonly string[]]>);

/** Counts the comparisons of a search, which grow with the length of the message and no faster. */
interface Count {
  steps: number;
}

/** 'na lang' ('just', 'instead') is also 'na' ('already', 'now'). */
const isWord = (word: string | undefined, wanted: string) =>
  word === wanted || (word === 'nalang' && wanted === 'na');

/** The index after the phrase that begins at `index`, or -1. */
function matchEnd(words: string[], index: number, phrase: string[], part: number, count: Count): number {
  count.steps += 1;
  const wanted = phrase[part];
  if (wanted === undefined) return index;
  if (wanted !== '*')
    return isWord(words[index], wanted) ? matchEnd(words, index + 1, phrase, part + 1, count) : -1;
  for (let skipped = 0; skipped <= reach.star; skipped += 1) {
    const matched = matchEnd(words, index + skipped, phrase, part + 1, count);
    if (matched >= 0) return matched;
    if (starStops.has(words[index + skipped] ?? end)) return -1;
  }
  return -1;
}

const leet: Record<string, string> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', $: 's' };

/** 'gc4sh' → 'gcash', 'v1ber' → 'viber', 'gcaaash' → 'gcash'. */
function plainWord(word: string): string {
  const short = word.replace(/([a-z])\1{2,}/g, '$1');
  if (!/^[a-z$@]/.test(short) || !/[0-9@$]/.test(short)) return spellings[short] ?? short;
  const letters = short.replace(/[034578@$]/g, (character) => leet[character] ?? character);
  const withL = letters.replaceAll('1', 'l');
  return phraseIndex.has(withL) ? withL : letters.replaceAll('1', 'i');
}

const digitWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** The digits of a word: '0917', 'o917' and 'seven' have some, other words none. */
function digits(word: string | undefined): string {
  if (word === undefined) return '';
  const named = digitWords.indexOf(word);
  if (named >= 0) return String(named);
  return /^[0-9][0-9o]*$|^o[0-9]+$/.test(word) ? word.replaceAll('o', '0') : '';
}

/** The index after a mobile number ('0917 555 0134', '+63 917…') that begins at `from`, or -1. */
function phoneEnd(words: string[], from: number): number {
  let number = '';
  for (let index = from; number.length < 12; index += 1) {
    const more = digits(words[index]);
    if (more === '') return -1;
    number += more;
    if (/^(?:09\d{9}|639\d{9}|9\d{9})$/.test(number) && digits(words[index + 1]) === '') return index + 1;
  }
  return -1;
}

/** The raw words of a text (one character can stand for 18 letters, which are cut off), with `#comma` and `#end` where a clause or sentence ends. */
function rawWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .slice(0, 2 * messageLength)
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}'’‘`]/gu, '');
  return Array.from(
    plain.matchAll(/[\p{L}\p{N}@$_%]+|[.!?;](?=\s|$)|,(?=\s|$)|:(?=[\s\p{L}@])|\n/gu),
    ([word]) => (word === ',' ? comma : word === ':' ? '#colon' : /^[.!?;\n]$/.test(word) ? end : word),
  );
}

/** Joins spaced letters and phone numbers, and replaces names and addresses by their kind. */
function joinWords(raw: string[]): string[] {
  const words: string[] = [];
  for (let index = 0; index < raw.length; ) {
    const word = raw[index] ?? '';
    const phone = phoneEnd(raw, index);
    let letters = index;
    while (raw[letters]?.length === 1) letters += 1;
    if (phone > 0) {
      words.push('#phone');
      index = phone;
    } else if (letters - index >= 4 && /[a-z]/.test(word)) {
      words.push(plainWord(raw.slice(index, letters).join('')));
      index = letters;
    } else if (letters > index) {
      // A shorter run of single characters stays as it is; it is not looked at again.
      for (; index < letters; index += 1) words.push(raw[index] ?? '');
    } else {
      const [name, domain] = word.split('@');
      if (name && domain && emailDomains.includes(domain)) words.push('#email');
      else if (name === '' && domain && domain.length > 2 && !/^[0-9]/.test(domain)) words.push('#handle');
      // '7 pm' is a time, 'pm me' a request.
      else if (!((word === 'pm' || word === 'am') && /^[0-9]+$/.test(raw[index - 1] ?? '')))
        words.push(
          /^(?:[1-9][0-9]?k|[0-9]{3,5}|php[0-9]+|p[0-9]+)$/.test(word) ? '#amount' : plainWord(word),
        );
      index += 1;
    }
  }
  return words;
}

function withoutFillers(raw: string[], count: Count): string[] {
  const words = raw
    .map((word, index) => (word === 'na' && /^(?:lang|lng)$/.test(raw[index + 1] ?? '') ? 'nalang' : word))
    .filter((word) => !fillerWords.has(word));
  const rest: string[] = [];
  for (let index = 0; index < words.length; ) {
    const word = words[index] ?? '';
    let next = -1;
    for (const phrase of fillerPhrases.get(word) ?? [])
      next = Math.max(next, matchEnd(words, index, phrase.words, 0, count));
    if (next < 0) rest.push(word);
    index = Math.max(index + 1, next);
  }
  return rest;
}

interface Hit {
  from: number;
  to: number;
}

/** The rule by which a message proposes to pay or go on elsewhere, if any, and the number of comparisons it took. */
export function matchingRule(text: string): { rule: Rule | null; steps: number } {
  const count = { steps: 0 };
  const words = withoutFillers(joinWords(rawWords(text)), count);
  const hits = words.map((word, index) => {
    const ends = new Map<Phrases, number>();
    for (const phrase of phraseIndex.get(word) ?? []) {
      const to = matchEnd(words, index, phrase.words, 0, count);
      if (to > index && phrase.list !== 'filler')
        ends.set(phrase.list, Math.max(to, ends.get(phrase.list) ?? 0));
    }
    return ends;
  });

  /** Whether a phrase of these lists begins in the sentence from `from` to before `to`. */
  const hasAny = (lists: readonly Phrases[], from: number, to: number) => {
    count.steps += to - from;
    return hits.slice(Math.max(0, from), to).some((ends) => lists.some((list) => ends.has(list)));
  };

  const isRefused = (from: number) => {
    let start = from;
    while (start > 0 && from - start < reach.refusal && !stopWords.has(words[start - 1] ?? '')) start -= 1;
    return hasAny(['refusal'], start, from);
  };

  for (const { rule, parts } of ruleParts) {
    let last = new Map<number, Hit>();
    let start = 0;
    for (let index = 0; index < words.length; index += 1) {
      count.steps += 1;
      if (words[index] === end && !rule.acrossSentences) {
        last = new Map();
        start = index + 1;
        continue;
      }
      let isNew = false;
      for (const [part, lists] of parts.entries())
        for (const list of lists) {
          const to = hits[index]?.get(list);
          if (to === undefined) continue;
          last.set(part, { from: index, to });
          isNew = true;
        }
      if (!isNew || last.size < parts.length) continue;
      const spans = [...last.values()];
      const from = Math.min(...spans.map((span) => span.from));
      const to = Math.max(...spans.map((span) => span.to));
      if (index - from >= rule.words || isRefused(from)) continue;
      let stop = to;
      while (stop < words.length && stop < to + reach.unless && (rule.acrossSentences || words[stop] !== end))
        stop += 1;
      if (!hasAny(rule.unless, Math.max(start, from - reach.unless), stop))
        return { rule, steps: count.steps };
    }
  }
  return { rule: null, steps: count.steps };
}

/**
 * Whether a message proposes to pay or to go on outside of Tara, in English, Filipino or a mix of both: the reader is
 * warned once per chat, and nothing is blocked by it. Time grows with the length of the text and no faster. It knows
 * usual wordings only: a miss is expected, and another wording is added to the lists with its message.
 */
export const proposesOffPlatform = (text: string): boolean => matchingRule(text).rule !== null;
