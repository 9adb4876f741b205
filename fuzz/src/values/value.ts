/** JSON as it is written into a request: also what `JSON.stringify` cannot write, such as deep or repeated values. */
export type Value = null | boolean | number | string | Value[] | Fields | Sized | Quoted;

/** An object by its entries, so that a key may occur twice, and `__proto__` is a key like any other. */
export class Fields {
  readonly entries: ReadonlyArray<readonly [string, Value]>;

  constructor(entries: ReadonlyArray<readonly [string, Value]>) {
    this.entries = entries;
  }

  /** The same with one field set; undefined removes it. */
  with(name: string, value: Value | undefined): Fields {
    const others = this.entries.filter(([key]) => key !== name);
    return new Fields(value === undefined ? others : [...others, [name, value]]);
  }
}

interface Written {
  text: string;
  /** A JavaScript expression that makes the text. */
  source: string;
}

/** Text that grows with a size and is written into the JSON as it is. */
export class Sized {
  readonly size: number;
  readonly #make: (size: number) => Written;

  constructor(size: number, make: (size: number) => Written) {
    this.size = size;
    this.#make = make;
  }

  written(): Written {
    return this.#make(this.size);
  }

  /** The same at another size. */
  resized(size: number): Sized {
    return new Sized(size, this.#make);
  }
}

/** A text that is the JSON of another value, such as a query. */
export class Quoted {
  readonly inner: Value;

  constructor(inner: Value) {
    this.inner = inner;
  }
}

const repeated = (text: string, times: string) => `\${${JSON.stringify(text)}.repeat(${times})}`;

/** `[[[…]]]` so deep. */
export const deepArray = (depth: number) =>
  new Sized(depth, (size) => ({
    text: '['.repeat(size) + ']'.repeat(size),
    source: repeated('[', String(size)) + repeated(']', String(size)),
  }));

/** `{"a":{"a":…}}` so deep. */
export const deepObject = (depth: number) =>
  new Sized(depth, (size) => ({
    text: `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`,
    source: `${repeated('{"a":', String(size))}1${repeated('}', String(size))}`,
  }));

/** A text so long. */
export const longText = (length: number, character = 'a') =>
  new Sized(length, (size) => ({
    text: `"${character.repeat(size)}"`,
    source: `"${repeated(character, String(size))}"`,
  }));

/** `[0,0,…]` of so many. */
export const longArray = (length: number) =>
  new Sized(length, (size) => ({
    text: `[${'0,'.repeat(size - 1)}0]`,
    source: `[${repeated('0,', String(size - 1))}0]`,
  }));

/** An object of so many keys. */
export const manyKeys = (count: number) =>
  new Sized(count, (size) => ({
    text: `{${Array.from({ length: size }, (_, index) => `"k${index}":0`).join()}}`,
    source: `{\${Array.from({length:${size}},(_,i)=>'"k'+i+'":0').join()}}`,
  }));

/** Text that is written as it is, whether it is JSON or not. */
export const verbatim = (text: string) => new Sized(1, () => ({ text, source: text }));

/** The value as JSON text. */
export function writeJson(value: Value): string {
  if (value instanceof Sized) return value.written().text;
  if (value instanceof Quoted) return JSON.stringify(writeJson(value.inner));
  if (value instanceof Fields)
    return `{${value.entries.map(([key, inner]) => `${JSON.stringify(key)}:${writeJson(inner)}`).join()}}`;
  if (Array.isArray(value)) return `[${value.map(writeJson).join()}]`;
  return JSON.stringify(value);
}

/** The JSON text as a JavaScript template literal's inside, short enough to be read. */
export function showJson(value: Value): string {
  if (value instanceof Sized) return value.written().source;
  if (value instanceof Quoted) return JSON.stringify(writeJson(value.inner));
  if (value instanceof Fields)
    return `{${value.entries.map(([key, inner]) => `${JSON.stringify(key)}:${showJson(inner)}`).join()}}`;
  if (Array.isArray(value)) return `[${value.map(showJson).join()}]`;
  return JSON.stringify(value);
}

/** Plain data as a value. */
export function fromData(data: unknown): Value {
  if (data === null || typeof data === 'boolean' || typeof data === 'number' || typeof data === 'string')
    return data;
  if (Array.isArray(data)) return data.map(fromData);
  if (typeof data === 'object') {
    return new Fields(
      Object.entries(data).flatMap(([key, inner]) =>
        inner === undefined ? [] : [[key, fromData(inner)] as const],
      ),
    );
  }
  return null;
}

/** Values that are one step smaller, the boldest first. */
export function smaller(value: Value): Value[] {
  if (value instanceof Quoted) return smaller(value.inner).map((inner) => new Quoted(inner));
  if (value instanceof Sized)
    return value.size > 1
      ? [1, value.size >> 2, value.size >> 1].flatMap((size) => (size > 0 ? value.resized(size) : []))
      : [];
  if (value instanceof Fields) {
    const { entries } = value;
    const middle = Math.ceil(entries.length / 2);
    if (entries.length > 20) return [new Fields(entries.slice(middle)), new Fields(entries.slice(0, middle))];
    const without = value.entries.map(
      (entry) => new Fields(value.entries.filter((other) => other !== entry)),
    );
    const inside = value.entries.flatMap((entry) =>
      smaller(entry[1]).map(
        (inner) =>
          new Fields(value.entries.map((other) => (other === entry ? ([entry[0], inner] as const) : other))),
      ),
    );
    return [...without, ...inside];
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    const half = Math.ceil(value.length / 2);
    const halves = value.length > 1 ? [value.slice(0, half), value.slice(half)] : [[]];
    const inside =
      value.length > 4
        ? []
        : value.flatMap((inner, index) => smaller(inner).map((less) => value.with(index, less)));
    return [...halves, ...inside];
  }
  if (typeof value === 'string' && value.length > 40) return [value.slice(0, value.length >> 1)];
  return [];
}
