import { Problem } from '../../platform/problem.ts';
import { BrokenRule, readLegacyQuery, refuse, type SentQuery } from './legacy-query.ts';

/** How many values each filter takes. */
export const filterValues = {
  equal: [1, 100],
  notEqual: [1, 1],
  lessThan: [1, 1],
  lessThanEqual: [1, 1],
  greaterThan: [1, 1],
  greaterThanEqual: [1, 1],
  between: [2, 2],
  notBetween: [2, 2],
  isNull: [0, 0],
  isNotNull: [0, 0],
  startsWith: [1, 1],
  notStartsWith: [1, 1],
  endsWith: [1, 1],
  notEndsWith: [1, 1],
  search: [1, 1],
  notSearch: [1, 1],
  contains: [1, 100],
  notContains: [1, 100],
  containsAny: [1, 100],
  containsAll: [1, 100],
} as const;

export type FilterMethod = keyof typeof filterValues;

export interface Filter {
  method: FilterMethod;
  attribute: string;
  values: (string | number | boolean)[];
}

/** A condition on documents: a filter, or several joined. */
export type Condition = Filter | { method: 'and' | 'or'; values: Condition[] };

/** A query of the documents API. Conditions are joined by and; orders count in their sequence. */
export type Query =
  | Condition
  | { method: 'orderAsc' | 'orderDesc'; attribute: string }
  | { method: 'limit' | 'offset'; value: number }
  | { method: 'cursorAfter' | 'cursorBefore'; id: string }
  | { method: 'select'; attributes: string[] };

export const queryLimits = {
  queries: 100,
  length: 4096,
  values: 100,
  depth: 3,
  skipped: 100_000,
  attribute: 64,
  id: 64,
};

const otherMethods = {
  ...{ and: true, or: true, orderAsc: true, orderDesc: true, limit: true, offset: true },
  ...{ cursorAfter: true, cursorBefore: true, select: true },
} satisfies Record<Exclude<Query['method'], FilterMethod>, true>;

/** Every method that a query may have. */
export const queryMethods: readonly string[] = [...Object.keys(filterValues), ...Object.keys(otherMethods)];

/** Filters that compare text. */
const textual = new Set<FilterMethod>([
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
  'search',
  'notSearch',
]);

function readSent(text: string): unknown {
  if (!/^\s*\{/.test(text)) return readLegacyQuery(text);
  try {
    return JSON.parse(text);
  } catch {
    return refuse('is not valid JSON');
  }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));

function checkAttribute(method: string, attribute: unknown): string {
  if (typeof attribute !== 'string' || attribute === '' || attribute.length > queryLimits.attribute) {
    refuse(`${method}: the attribute must be a name of 1 to ${queryLimits.attribute} characters`);
  }
  return attribute;
}

/** `$sequence` is a number; since the response format 1.9.0 it is shown, and sent back, as a text. */
export const readSequence = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;

function checkFilter(method: FilterMethod, attribute: unknown, sent: unknown[]): Filter {
  const name = checkAttribute(method, attribute);
  const values = name === '$sequence' ? sent.map(readSequence) : sent;
  const [least, most] = filterValues[method];
  if (values.length < least || values.length > most) {
    refuse(`${method}: takes ${least === most ? least : `${least} to ${most}`} values`);
  }
  if (values.includes(null)) refuse(`${method}: null is found by isNull and isNotNull`);
  if (!values.every(isScalar)) refuse(`${method}: values must be text, numbers, true or false`);
  if (textual.has(method) && typeof values[0] !== 'string') refuse(`${method}: the value must be text`);
  return { method, attribute: name, values };
}

function checkWhole(method: 'limit' | 'offset', values: unknown[]): Query {
  const [value] = values;
  const least = method === 'limit' ? 1 : 0;
  if (
    values.length !== 1 ||
    typeof value !== 'number' ||
    !Number.isInteger(value) ||
    value < least ||
    value > queryLimits.skipped
  ) {
    return refuse(`${method}: must be a whole number from ${least} to ${queryLimits.skipped}`);
  }
  return { method, value };
}

function checkCursor(method: 'cursorAfter' | 'cursorBefore', values: unknown[]): Query {
  const [id] = values;
  if (values.length !== 1 || typeof id !== 'string' || id === '' || id.length > queryLimits.id) {
    return refuse(`${method}: must be the id of a document`);
  }
  return { method, id };
}

/** Methods of some versions that mean a filter of `$createdAt` or `$updatedAt`. */
const dateFilters: Readonly<Record<string, FilterMethod>> = {
  Before: 'lessThan',
  After: 'greaterThan',
  Between: 'between',
};

/** A date method as the filter that it means; undefined for any other. */
function checkDateMethod(method: string, values: unknown[]): Filter | undefined {
  const [, which, how = ''] = /^(created|updated)(Before|After|Between)$/.exec(method) ?? [];
  const filter = dateFilters[how];
  return filter && checkFilter(filter, `$${which}At`, values);
}

/** `exists` and `notExists`: every attribute of a document exists, so a value is what they ask for. */
function checkExistence(method: 'exists' | 'notExists', values: unknown[]): Condition {
  const filter = method === 'exists' ? 'isNotNull' : 'isNull';
  const [first, ...others] = values.map((name) => checkFilter(filter, name, []));
  if (first === undefined || others.length === 0)
    return first ?? refuse(`${method}: takes at least 1 attribute`);
  return { method: 'and', values: [first, ...others] };
}

const isFilter = (method: string): method is FilterMethod => Object.hasOwn(filterValues, method);

function checkCondition(sent: unknown, depth: number): Condition {
  const query = checkQuery(sent, depth);
  if (query.method === 'and' || query.method === 'or' || isFilter(query.method)) return query as Condition;
  return refuse(`${query.method}: is not allowed within and/or`);
}

function checkQuery(sent: unknown, depth: number): Query {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return refuse('must be an object');
  const { method, attribute, values = [] }: SentQuery = sent;
  if (typeof method !== 'string') return refuse('the method must be text');
  if (!Array.isArray(values)) return refuse('values must be a list');
  if (values.length > queryLimits.values) return refuse(`at most ${queryLimits.values} values`);
  if (isFilter(method)) return checkFilter(method, attribute, values);
  const dates = checkDateMethod(method, values);
  if (dates !== undefined) return dates;
  switch (method) {
    case 'and':
    case 'or':
      if (depth >= queryLimits.depth) return refuse(`and/or may be nested ${queryLimits.depth} deep`);
      if (values.length < 2) return refuse(`${method}: takes at least 2 queries`);
      return { method, values: values.map((value) => checkCondition(value, depth + 1)) };
    case 'orderAsc':
    case 'orderDesc':
      if (values.length > 0) return refuse(`${method}: takes no values`);
      // The oldest clients order by insertion with an empty name.
      return { method, attribute: attribute === '' ? '$createdAt' : checkAttribute(method, attribute) };
    case 'limit':
    case 'offset':
      return checkWhole(method, values);
    case 'cursorAfter':
    case 'cursorBefore':
      return checkCursor(method, values);
    case 'select':
      if (values.length === 0) return refuse('select: takes at least 1 attribute');
      return { method, attributes: values.map((value) => checkAttribute(method, value)) };
    case 'exists':
    case 'notExists':
      return checkExistence(method, values);
    case 'orderRandom':
      return refuse('orderRandom: a list has an order by which it goes on');
    default:
      return refuse(`${method.slice(0, 40)}: there is no such method`);
  }
}

/** Methods that may occur once in a list of queries. */
const once: Partial<Record<Query['method'], string>> = {
  limit: 'limit',
  offset: 'offset',
  cursorAfter: 'cursor',
  cursorBefore: 'cursor',
  select: 'select',
};

/**
 * Reads the queries of a list, or of one document with `only: 'select'`. Both syntaxes give the same.
 * @throws Problem `general_argument_invalid` for too many or too long ones, `general_query_invalid` with the number of
 * the query and the broken rule
 */
export function parseQueries(queries: string[], { only }: { only?: 'select' } = {}): Query[] {
  const fields = {
    queries: `Must be at most ${queryLimits.queries}, each of at most ${queryLimits.length} characters`,
  };
  if (queries.length > queryLimits.queries || queries.some(({ length }) => length > queryLimits.length)) {
    throw new Problem('general_argument_invalid', { fields });
  }
  const seen = new Set<string>();
  return queries.map((text, index) => {
    try {
      const query = checkQuery(readSent(text), 0);
      if (only !== undefined && query.method !== only) refuse(`only ${only} is possible for one document`);
      const kind = once[query.method];
      if (kind === undefined) return query;
      if (seen.has(kind)) refuse(`only one ${kind} is possible`);
      seen.add(kind);
      return query;
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error;
      throw new Problem('general_query_invalid', { fields: { [`queries[${index}]`]: error.message } });
    }
  });
}

/** Whether a list shall say how many there are; PHP writes false as 0. */
export const isCounted = ({ total }: { total?: string | undefined }) => total !== 'false' && total !== '0';

/** @throws Problem `general_query_invalid` naming the rule that the queries break */
export const refuseQueries = (rule: string): never => {
  throw new Problem('general_query_invalid', { fields: { queries: rule } });
};

/**
 * The queries of a request in their sequence: `queries[0]=…`, `queries[]=…` and `queries=…` alike.
 * @throws Problem `general_argument_invalid` when they are no list of texts
 */
export function readQueries(query: Readonly<Record<string, unknown>>): string[] {
  const numbered = Object.entries(query).flatMap(([name, sent]) => {
    if (!/^queries\b/.test(name)) return [];
    const match = /^queries(?:\[(\d*)\])?$/.exec(name);
    const texts = [sent].flat();
    if (match === null || !texts.every((text) => typeof text === 'string')) {
      throw new Problem('general_argument_invalid', { fields: { queries: 'Must be a list of texts' } });
    }
    return texts.map((text) => ({ index: Number(match[1] ?? 0), text }));
  });
  return numbered.sort((a, b) => a.index - b.index).map(({ text }) => text);
}
