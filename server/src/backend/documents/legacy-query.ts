/** A query of either syntax as it was sent; nothing of it is checked. */
export interface SentQuery {
  method?: unknown;
  attribute?: unknown;
  values?: unknown;
}

/** What is wrong with a query, without its number. */
export class BrokenRule extends Error {}

export function refuse(rule: string): never {
  throw new BrokenRule(rule);
}

/** Methods that name no attribute before their values. */
const withoutAttribute =
  /^(limit|offset|cursorAfter|cursorBefore|select|exists|notExists|(created|updated)(Before|After|Between))$/;

const literals = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads a query in the text syntax of SDKs before 14.0.0, `method("attribute", [values])`, which escape nothing within
 * quotes. Each character is looked at a bounded number of times.
 */
class LegacyReader {
  #index = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  read(): SentQuery {
    const method = this.#match(/\s*([A-Za-z]{1,40})\s*\(/y) ?? refuse('must be method(…), or JSON');
    const args = this.#list(')');
    if (this.#match(/(\s*)$/y) === null) refuse('nothing may follow the closing bracket');
    if (withoutAttribute.test(method)) {
      return { method, values: args.flat() };
    }
    const [attribute, ...values] = args;
    return { method, attribute, values: values.flat() };
  }

  /** The first group of a sticky pattern at the present index, which moves behind the match. */
  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#index;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#index = pattern.lastIndex;
    return match[1] ?? '';
  }

  /** The values up to `end`; lists are allowed in the outer one only. */
  #list(end: ')' | ']'): unknown[] {
    const close = end === ')' ? /\s*(\))/y : /\s*(\])/y;
    const values: unknown[] = [];
    if (this.#match(close) !== null) return values;
    for (;;) {
      if (end === ')' && this.#match(/\s*(\[)/y) !== null) values.push(this.#list(']'));
      else values.push(this.#value());
      if (this.#match(close) !== null) return values;
      if (this.#match(/\s*(,)/y) === null) refuse(`values must be separated by commas and end with ${end}`);
    }
  }

  #value(): unknown {
    const quote = this.#match(/\s*(["'])/y);
    if (quote !== null) return this.#string(quote);
    const word = this.#match(/\s*([^\s,()[\]"']+)/y) ?? refuse('a value is missing');
    if (literals.has(word)) return literals.get(word);
    if (/^-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,3})?$/.test(word)) return Number(word);
    return refuse('text values must be in quotes');
  }

  /**
   * A string ends at the quote behind which a value can end: text may contain quotes, which the SDK did not escape.
   * Of `\"` the quote is meant.
   */
  #string(quote: string): string {
    const parts: string[] = [];
    let from = this.#index;
    for (;;) {
      const quoteIndex = this.#text.indexOf(quote, from);
      if (quoteIndex === -1) refuse('a string has no closing quote');
      // Never of the first character: before it is the quote that began the string, or that was escaped.
      if (this.#text[quoteIndex - 1] === '\\') {
        parts.push(this.#text.slice(this.#index, quoteIndex - 1), quote);
        this.#index = quoteIndex + 1;
      } else if (endsValue(this.#text, quoteIndex + 1)) {
        parts.push(this.#text.slice(this.#index, quoteIndex));
        this.#index = quoteIndex + 1;
        return parts.join('');
      }
      from = quoteIndex + 1;
    }
  }
}

function endsValue(text: string, index: number): boolean {
  const end = /\s*[,)\]]/y;
  end.lastIndex = index;
  return end.test(text);
}

/** @throws BrokenRule when the text is no query */
export const readLegacyQuery = (text: string): SentQuery => new LegacyReader(text).read();
