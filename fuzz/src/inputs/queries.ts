import { Random } from '@tara/proof/random';
import { type AttributeType, isRelation } from '@tara/server/backend/documents/collection';
import { collections } from '@tara/server/backend/documents/collections/all';
import { filterValues, queryLimits, queryMethods } from '@tara/server/backend/documents/queries';
import { mostValues, subscriptionMethods } from '@tara/server/backend/realtime/filter';
import { hostileValues } from '../values/hostile.ts';
import { Fields, Quoted, type Value, writeJson } from '../values/value.ts';

/** The attributes of all collections, and those that every document has. */
const attributes: ReadonlyMap<string, AttributeType> = new Map<string, AttributeType>([
  ...Object.values(collections).flatMap(({ source }) =>
    Object.entries(source.attributes).map(
      ([name, entry]) => [name, isRelation(entry) ? 'string' : entry.type] as const,
    ),
  ),
  ['$id', 'string'],
  ['$createdAt', 'time'],
  ['$updatedAt', 'time'],
  ['$sequence', 'integer'],
  ['$permissions', 'strings'],
]);

const day = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();

/** So many different values of a type, as long as its filters may need. */
function valuesOf(type: AttributeType, count: number, random: Random): Value[] {
  const word = random.pick(['sea', 'ｓｅａ', 'Día', '\u{1f600}', random.word(20)]);
  const byType: Record<AttributeType, (index: number) => Value> = {
    string: (index) => `${word}${index}`,
    strings: (index) => `${word}${index}`,
    integer: (index) => index,
    number: (index) => index + 0.5,
    boolean: (index) => index % 2 === 0,
    time: day,
  };
  return Array.from({ length: count }, (_, index) => byType[type](index));
}

const query = (method: Value, attribute: Value | undefined, values: Value): Fields =>
  new Fields([
    ['method', method],
    ...(attribute === undefined ? [] : ([['attribute', attribute]] as const)),
    ['values', values],
  ]);

const isFilter = (method: string): method is keyof typeof filterValues => method in filterValues;

/** A query of a method, with so many values at most as it takes. */
function queryOf(method: string, random: Random, id: string, most: number = mostValues): Fields {
  const [attribute, type] = random.pick([...attributes]);
  if (isFilter(method)) {
    const [least, upper] = filterValues[method];
    const count = random.pick([least, Math.max(least, Math.min(upper, most))]);
    return query(method, attribute, valuesOf(type, count, random));
  }
  if (method === 'and' || method === 'or')
    return query(method, undefined, [
      queryOf(random.pick(subscriptionMethods), random, id, 1),
      queryOf(random.pick(subscriptionMethods), random, id, 1),
    ]);
  if (method.startsWith('order')) return query(method, attribute, []);
  if (method.startsWith('cursor')) return query(method, undefined, [id]);
  if (method === 'select')
    return query(method, undefined, [random.pick(['*', attribute, 'creator.*', 'constructor'])]);
  return query(method, undefined, [random.pick([1, 25, 100, queryLimits.skipped])]);
}

/** A condition so deep, each level of `width` parts. */
function nested(depth: number, width: number, leaf: () => Fields, random: Random): Fields {
  if (depth === 0) return leaf();
  const inner = nested(depth - 1, width, leaf, random);
  return query(random.pick(['and', 'or']), undefined, [...Array.from({ length: width - 1 }, leaf), inner]);
}

/** A condition of all levels with as many values as one subscription takes, or `more`. */
function deepest(random: Random, more: number, depth: number = queryLimits.depth): Fields {
  const leaf = () => query('isNotNull', random.pick(['$id', 'caption', 'none']), []);
  // Each level counts its parts, and each of these is a value.
  const width = Math.floor((mostValues + more * depth * 2) / (depth * 2));
  return nested(depth, Math.max(2, width), leaf, random);
}

/** A query in the older syntax. */
const legacyQuery = (method: string, attribute: string, values: Value[]) =>
  `${method}("${attribute}", [${values.map(writeJson).join()}])`;

export interface NamedQuery {
  what: string;
  query: Value;
}
type MakeQuery = (random: Random, id: string) => Value;

const manyTimes = (count: number, attribute: string) => (): Value =>
  query('equal', attribute, valuesOf('time', count, new Random(count)));

/** Queries at the limits, beyond them, and such as are none. */
const strangeQueries: Readonly<Record<string, MakeQuery>> = {
  'and/or as deep as they may be': (random) => deepest(random, 0),
  'and/or with too many values': (random) => deepest(random, 2),
  'and/or a level too deep': (random) => deepest(random, 0, queryLimits.depth + 1),
  'and/or 60 deep': (random) => deepest(random, 0, 60),
  'as many times as may be': manyTimes(mostValues, '$createdAt'),
  'as many times as may be for a list': manyTimes(mostValues, 'tags'),
  'a time too many': manyTimes(mostValues + 1, 'tags'),
  'one value again and again': () => query('equal', 'tags', Array<Value>(mostValues).fill('a')),
  'a text as long as may be': () => query('equal', 'caption', ['a'.repeat(queryLimits.length - 60)]),
  'wide characters': () => query('equal', 'tags', ['\u{1f600}'.repeat(500), '\ufdfa'.repeat(1_000)]),
  'a text too long': () => query('equal', 'caption', ['a'.repeat(queryLimits.length)]),
  'strange times': () =>
    query('equal', '$createdAt', [
      '+275760-09-13T00:00:00Z',
      '9999-99-99T99:99Z',
      `2026-01-01T00:00${'0'.repeat(32)}Z`,
      '0000-01-01T00:00:00+99:99',
    ]),
  'an order of other types': (random) =>
    query(random.pick(['lessThan', 'greaterThanEqual']), 'tags', [
      random.pick<Value>([true, -1e308, '\ufdfa']),
    ]),
  'an attribute of every object': (random) =>
    query('equal', random.pick(['__proto__', 'constructor', 'toString']), ['x']),
  'an attribute too long': () => query('isNull', 'a'.repeat(queryLimits.attribute + 1), []),
  'a method of every object': (random) =>
    query(random.pick(['constructor', '__proto__', 'toString']), '$id', ['x']),
  'fields twice': () => {
    const { entries } = query('equal', '$id', ['x']);
    return new Fields([...entries, ...entries]);
  },
  'no object': (random) => random.pick<Value>([[], null, 1, 'beach']),
  'a hostile value': (random) => query('equal', '$id', [hostile(random)]),
  'hostile values': (random) => query('equal', '$id', hostile(random)),
  'a hostile attribute': (random) => query('equal', hostile(random), ['x']),
  'a hostile method': (random) => query(hostile(random), '$id', ['x']),
};

/** A hostile value that a query has room for. */
function hostile(random: Random): Value {
  const { value = null } = random.pick(hostileValues);
  return writeJson(value).length > queryLimits.length * 2 ? null : value;
}

/** A query of one of these methods as a caller would make it; each method comes once before any comes again. */
function usualQuery(deck: string, methods: readonly string[], random: Random, id: string): NamedQuery {
  const method = random.deal(deck, () => methods);
  const fields = queryOf(method, random, id);
  const values = new Map(fields.entries).get('values');
  const attribute = new Map(fields.entries).get('attribute');
  if (random.chance(0.1) && typeof attribute === 'string' && Array.isArray(values))
    return { what: `${method} in the older syntax`, query: legacyQuery(method, attribute, values) };
  return { what: method, query: new Quoted(fields) };
}

function strangeQuery(deck: string, random: Random, id: string): NamedQuery {
  const [what, make] = random.deal(deck, () => Object.entries(strangeQueries));
  const value = make(random, id);
  return { what, query: typeof value === 'string' ? value : new Quoted(value) };
}

/** A query of a list of documents, with the id of some document. */
export const documentQuery = (random: Random, id: string): NamedQuery =>
  random.chance(0.6)
    ? usualQuery('methods of documents', queryMethods, random, id)
    : strangeQuery('queries of documents', random, id);

/** A query that a subscription takes. */
export const subscriptionQuery = (random: Random): NamedQuery =>
  usualQuery('methods of subscriptions', subscriptionMethods, random, 'none');

/** A query of lists, which a subscription may refuse. */
export const otherSubscriptionQuery = (random: Random): NamedQuery =>
  usualQuery('all methods of subscriptions', queryMethods, random, 'none');

/** A query that a subscription should refuse, or that is much for one. */
export const strangeSubscriptionQuery = (random: Random): NamedQuery =>
  strangeQuery('queries of subscriptions', random, 'none');

/** A filter with so many different values, of which no other has the same. */
export const valuesFilter = (count: number, first: number): Quoted =>
  new Quoted(
    query(
      'equal',
      'tags',
      Array.from({ length: count }, (_, index) => day(first + index)),
    ),
  );
