import type { Random } from '@tara/proof/random';
import { readChoices, type Shape } from './schema.ts';
import {
  deepArray,
  deepObject,
  Fields,
  longArray,
  longText,
  manyKeys,
  type Value,
  verbatim,
} from './value.ts';

export interface Named {
  what: string;
  value: Value | undefined;
}

const named = (what: string, value: Value | undefined): Named => ({ what, value });
const object = (key: string, value: Value) => new Fields([[key, value]]);

/** Small values that no call expects. */
const small: Named[] = [
  named('missing', undefined),
  named('null', null),
  named('true', true),
  named('zero', 0),
  named('a negative number', -1),
  named('half', 0.5),
  named('2^31', 2_147_483_648),
  named('2^53', 9_007_199_254_740_992),
  named('1e308', 1e308),
  named('a number beyond every double', verbatim('1e999')),
  named('minus zero', verbatim('-0')),
  named('NaN', verbatim('NaN')),
  named('an empty text', ''),
  named('blanks', ' \t\r\n '),
  named('an empty list', []),
  named('an empty object', new Fields([])),
  named('a list of a text', ['a']),
  named('own toString', object('toString', 'x')),
  named(
    'own valueOf',
    new Fields([
      ['valueOf', 1],
      ['toString', null],
    ]),
  ),
  named('own toJSON', object('toJSON', 'x')),
  named('own length', object('length', 1e9)),
  named('own then', object('then', 'x')),
  named('__proto__', object('__proto__', object('polluted', true))),
  named('constructor.prototype', object('constructor', object('prototype', object('polluted', true)))),
  named('NUL', 'a\u0000b'),
  named('NUL inside an object', object('a\u0000', 'b\u0000')),
  named('a lone surrogate', 'a\ud800'),
  named('a lone surrogate in front', '\udc00a'),
  named('text from right to left', '\u202ecba'),
  named('not normalized', 'ﬁﬃ\u0130\u0149'),
  named('a name of a prototype', '__proto__'),
  named('constructor as text', 'constructor'),
  named('SQL', "'; drop table posts; --"),
  named('wildcards', '%_\\%'),
  named('markup', '{{7*7}}<script>alert(1)</script>'),
  named('a line break', 'a\r\nset-cookie: a=b'),
  named('a path', '../../../../etc/passwd'),
  named('a hexadecimal number', '0x7fffffff'),
  named('a number as text', '1e400'),
];

/** Values that are large: deep, long or wide. */
const large: Named[] = [
  ...[33, 1_000, 20_000, 120_000].map((depth) => named(`a list ${depth} deep`, deepArray(depth))),
  ...[33, 1_000, 40_000].map((depth) => named(`an object ${depth} deep`, deepObject(depth))),
  named('a text of 200,000', longText(200_000)),
  named('60,000 wide characters', longText(60_000, '\u{1f600}')),
  named('20,000 digits', longText(20_000, '9')),
  named('200,000 blanks', longText(200_000, ' ')),
  named('a list of 100,000', longArray(100_000)),
  named('10,001 numbers', longArray(10_001)),
  named('20,000 keys', manyKeys(20_000)),
];

/** Values that no schema of a field expects, or that it should refuse. */
export const hostileValues: readonly Named[] = [...small, ...large];

/** Entries that do not belong to an object. */
export function hostileEntries(random: Random): { what: string; entries: [string, Value][] } {
  const key = random.pick([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'then',
    'toJSON',
    '\u0000',
    '',
    'a'.repeat(5_000),
  ]);
  if (random.chance(0.7))
    return {
      what: `a further field ${key.slice(0, 20)}`,
      entries: [[key, random.pick<Value>([1, 'x', new Fields([['polluted', true]])])]],
    };
  const count = random.pick([30, 3_000, 20_000]);
  return {
    what: `${count} further fields`,
    entries: Array.from({ length: count }, (_, index) => [`k${index}`, 0]),
  };
}

/** Values at the limits of a field, and one beyond. */
export function nearValues(shape: Shape, valid: Value): Named[] {
  const near: Named[] = readChoices(shape).flatMap((choice) => nearValues(choice, valid));
  const { minLength = 0, maxLength, minimum, maximum } = shape;
  if (shape.type === 'string') {
    for (const length of [minLength - 1, minLength, minLength + 1])
      if (length >= 0) near.push(named(`a text of ${length}`, 'a'.repeat(length)));
    if (maxLength !== undefined) {
      for (const length of [maxLength - 1, maxLength, maxLength + 1])
        near.push(named(`a text of ${length}`, longText(length)));
      near.push(named(`${maxLength} wide characters`, longText(Math.ceil(maxLength / 2), '\u{1f600}')));
      near.push(named(`${maxLength} letters and a blank`, longText(maxLength, 'a ')));
      near.push(named('a letter of many marks', longText(Math.max(1, maxLength - 1), '\u0301')));
    }
    if (shape.pattern?.includes('{0,35}'))
      for (const length of [36, 37]) near.push(named(`an id of ${length}`, 'a'.repeat(length)));
    if (shape.enum) near.push(named('another case', String(shape.enum[0]).toUpperCase()));
    if (shape.format === 'date')
      for (const day of ['1899-12-31', '1900-01-01', '2999-01-01', '2001-02-29', '2000-02-29'])
        near.push(named(day, day));
  }
  if (shape.type === 'number' || shape.type === 'integer') {
    const safe = Number.MAX_SAFE_INTEGER;
    for (const limit of [minimum, maximum, 0, 2_147_483_647])
      if (limit !== undefined)
        for (const by of [-1, 0, 1, 0.5])
          near.push(named(`${limit} ${by < 0 ? '-' : '+'} ${Math.abs(by)}`, limit + by));
    near.push(named('the largest safe number', safe), named('1e21', 1e21), named('as text', String(valid)));
  }
  if (shape.type === 'array' && Array.isArray(valid)) {
    const { maxItems } = shape;
    if (maxItems !== undefined)
      for (const length of [maxItems, maxItems + 1])
        near.push(
          named(
            `${length} items`,
            Array.from({ length }, () => valid[0] ?? 'a'),
          ),
        );
  }
  if (near.length === 0) near.push(named('null', null), named('missing', undefined));
  return near;
}
