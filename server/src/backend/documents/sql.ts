import { foldTag } from '@tara/contract/posts/posts';
import { and, asc, desc, is, not, or, SQL, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import { MemoryCache } from '../../platform/memory-cache.ts';
import { Problem } from '../../platform/problem.ts';
import { type AttributeType, type Expression, isRelation, type ReadableCollection } from './collection.ts';
import { type Condition, type Filter, parseQueries, type Query } from './queries.ts';

/** Documents of a list when no limit is sent, and at most. */
export const pageLimits = { usual: 25, most: 100 };
/** Beyond it a list goes on by its cursor: rows that are skipped cost as much as those that are shown. */
export const mostSkipped = 10_000;

const refuse = (attribute: string, rule: string): never => {
  throw new Problem('general_query_invalid', { fields: { [attribute]: rule } });
};

/** What a filter or an order may name: its type, and what is compared; null for what is never null. */
interface Target {
  type: AttributeType;
  column: Expression | null;
  search?: ((text: string, viewer: Viewer) => SQL) | undefined;
  /** It has no index but that of the search. */
  onlySearch?: boolean;
  searchable?: ((viewer: Viewer) => SQL) | undefined;
  folded?: boolean | undefined;
  joinedId?: Expression | undefined;
}

function systemTarget({ source }: ReadableCollection, name: string): Target | null {
  if (name === '$id') return { type: 'string', column: source.id };
  if (name === '$createdAt') return { type: 'time', column: source.createdAt };
  if (name === '$updatedAt') return { type: 'time', column: source.updatedAt };
  if (name === '$sequence' && source.sequence) return { type: 'integer', column: source.sequence };
  return null;
}

function targetOf(collection: ReadableCollection, name: string): Target {
  const system = systemTarget(collection, name);
  if (system) return system;
  const { attributes } = collection.source;
  const entry = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (entry === undefined) return refuse(name, 'is not an attribute of this collection');
  if (isRelation(entry)) {
    return entry.indexed ? { type: 'string', column: entry.column } : refuse(name, 'cannot be queried');
  }
  if (!entry.indexed && !entry.search) return refuse(name, 'cannot be queried');
  const { type, column, search, searchable, folded, joinedId } = entry;
  return { type, column, search, searchable, folded, joinedId, onlySearch: !entry.indexed };
}

/** Expressions separated by commas. */
export const commaList = (parts: readonly Expression[]): SQL =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

const isValid = (time: Date) => !Number.isNaN(time.getTime());

/** A value as Postgres is sent it, with its type where the column does not say it. */
function readValue(name: string, type: AttributeType, value: unknown): SQL {
  switch (type) {
    case 'time': {
      const time = typeof value === 'string' ? new Date(value) : null;
      // Postgres writes years before our era and after 9999 in another way.
      if (time === null || !/^\d{4}-/.test(isValid(time) ? time.toISOString() : ''))
        return refuse(name, 'must be compared with a time');
      return sql`${time.toISOString()}::timestamptz`;
    }
    case 'integer':
    case 'number':
      if (typeof value !== 'number') return refuse(name, 'must be compared with a number');
      // Whole numbers of their own type: an index of them compares no other.
      return Number.isSafeInteger(value) ? sql`${String(value)}::bigint` : sql`${String(value)}::numeric`;
    case 'boolean':
      if (typeof value !== 'boolean') return refuse(name, 'must be compared with true or false');
      return value ? sql`true` : sql`false`;
    case 'string':
    case 'strings':
      if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed())
        return refuse(name, 'must be compared with text');
      return sql`${type === 'strings' ? foldTag(value) : value}::text`;
  }
}

/** The positive condition of each filter; what has `not` before its name is the negation. */
const comparisons: Record<string, (column: Expression, values: SQL[]) => SQL> = {
  equal: (column, values) => sql`${column} in (${commaList(values)})`,
  notEqual: (column, [value]) => sql`${column} <> ${value}`,
  lessThan: (column, [value]) => sql`${column} < ${value}`,
  lessThanEqual: (column, [value]) => sql`${column} <= ${value}`,
  greaterThan: (column, [value]) => sql`${column} > ${value}`,
  greaterThanEqual: (column, [value]) => sql`${column} >= ${value}`,
  between: (column, [from, to]) => sql`${column} between ${from} and ${to}`,
  isNull: (column) => sql`${column} is null`,
  isNotNull: (column) => sql`${column} is not null`,
  startsWith: (column, [value]) => sql`starts_with(${column}, ${value})`,
  endsWith: (column, [value]) => sql`right(${column}, length(${value})) = ${value}`,
};

function containsCondition(column: Expression, type: AttributeType, values: SQL[], all: boolean): SQL {
  const list = commaList(values);
  if (type === 'strings') return all ? sql`${column} @> array[${list}]` : sql`${column} && array[${list}]`;
  const parts = values.map((value) => sql`strpos(${column}, ${value}) > 0`);
  return (all ? and(...parts) : or(...parts)) ?? sql`true`;
}

function filterCondition(collection: ReadableCollection, viewer: Viewer, filter: Filter): SQL {
  const target = targetOf(collection, filter.attribute);
  const condition = compare(target, viewer, filter);
  const { searchable } = target;
  return searchable ? (and(searchable(viewer), condition) ?? condition) : condition;
}

function compare({ type, column, search, onlySearch, folded }: Target, viewer: Viewer, filter: Filter): SQL {
  const { attribute } = filter;
  const isNegated = /^not(?!Equal)/.test(filter.method);
  const method = isNegated
    ? filter.method.replace(/^not(.)/, (_, first: string) => first.toLowerCase())
    : filter.method;
  const negate = (condition: SQL) => (isNegated ? not(condition) : condition);
  if (method === 'search') {
    const [text] = filter.values;
    if (!search) return refuse(attribute, 'cannot be searched');
    if (typeof text !== 'string' || text.includes('\0'))
      return refuse(attribute, 'must be searched for text');
    return negate(search(text.slice(0, 200), viewer));
  }
  if (onlySearch) return refuse(attribute, 'can only be searched');
  if (column === null) {
    if (method === 'isNull') return sql`false`;
    if (method === 'isNotNull') return sql`true`;
    return refuse(attribute, 'can only be asked for being null');
  }
  const exact = filter.values.map((value) => readValue(attribute, type, value));
  const values = folded ? exact.map((value) => sql`lower(${value})`) : exact;
  if (method.startsWith('contains')) {
    if (type !== 'string' && type !== 'strings') return refuse(attribute, 'holds no text');
    return negate(containsCondition(column, type, values, method === 'containsAll'));
  }
  if (method.endsWith('With') && type !== 'string') return refuse(attribute, 'holds no text');
  if (type === 'strings') return refuse(attribute, 'is a list: use contains');
  const condition = comparisons[method]?.(column, values);
  return condition ? negate(condition) : refuse(attribute, 'cannot be compared so');
}

function conditionOf(collection: ReadableCollection, viewer: Viewer, query: Condition): SQL {
  if ('attribute' in query) return filterCondition(collection, viewer, query);
  const parts = query.values.map((value) => conditionOf(collection, viewer, value));
  return (query.method === 'and' ? and(...parts) : or(...parts)) ?? sql`true`;
}

interface Order {
  name: string;
  column: Expression;
  descending: boolean;
  joinedId?: Expression | undefined;
}

/** The orders as sent, or that of insertion, and last the id, so that every row has its own place. */
function ordersOf(collection: ReadableCollection, queries: readonly Query[]): Order[] {
  const orders = queries.flatMap((query): Order[] => {
    if (query.method !== 'orderAsc' && query.method !== 'orderDesc') return [];
    const { column, type, onlySearch, searchable, joinedId } = targetOf(collection, query.attribute);
    // A cursor has no place among rows without a value.
    const isOrdered =
      column !== null &&
      !onlySearch &&
      !searchable &&
      type !== 'strings' &&
      (is(column, SQL) || column.notNull);
    if (!isOrdered) return refuse(query.attribute, 'cannot be ordered by');
    return [{ name: query.attribute, column, joinedId, descending: query.method === 'orderDesc' }];
  });
  const { id, createdAt, sequence } = collection.source;
  if (orders.length === 0) {
    const inserted = sequence
      ? { name: '$sequence', column: sequence }
      : { name: '$createdAt', column: createdAt };
    orders.push({ ...inserted, descending: false });
  }
  if (orders.some(({ name }) => name === '$id' || name === '$sequence')) return orders;
  const last = orders.at(-1);
  return [...orders, { name: '$id', column: last?.joinedId ?? id, descending: last?.descending === true }];
}

/** What a list is asked for, of the queries of either syntax. */
export interface ListRequest {
  /** The filters alone; undefined without. */
  filter: SQL | undefined;
  orders: readonly Order[];
  limit: number;
  offset: number;
  cursor: { id: string; before: boolean } | null;
  /** Names of the attributes that are shown; null for all. */
  select: readonly string[] | null;
}

/** @throws Problem `general_query_invalid` naming the attribute and the rule */
export function readListRequest(
  collection: ReadableCollection,
  viewer: Viewer,
  queries: readonly Query[],
): ListRequest {
  const request: ListRequest = {
    ...{ filter: undefined, limit: pageLimits.usual, offset: 0, cursor: null, select: null },
    orders: ordersOf(collection, queries),
  };
  // Then Postgres may begin with the joined table, whose index has the order.
  const filters = request.orders.flatMap(({ joinedId }) => (joinedId ? [sql`${joinedId} is not null`] : []));
  for (const query of queries) {
    switch (query.method) {
      case 'limit':
        request.limit = Math.min(query.value, pageLimits.most);
        break;
      case 'offset':
        if (query.value > mostSkipped) refuse('offset', `must be at most ${mostSkipped}: use cursorAfter`);
        request.offset = query.value;
        break;
      case 'cursorAfter':
      case 'cursorBefore':
        request.cursor = { id: query.id, before: query.method === 'cursorBefore' };
        break;
      case 'select':
        request.select = [...(request.select ?? []), ...query.attributes];
        break;
      case 'orderAsc':
      case 'orderDesc':
        break;
      default:
        filters.push(conditionOf(collection, viewer, query));
    }
  }
  return { ...request, filter: and(...filters) };
}

/** Whether the condition of a query is another for each viewer. */
function dependsOnViewer(collection: ReadableCollection, query: Query): boolean {
  if (query.method === 'and' || query.method === 'or')
    return query.values.some((value) => dependsOnViewer(collection, value));
  if (query.method === 'search' || query.method === 'notSearch') return true;
  return 'attribute' in query && targetOf(collection, query.attribute).searchable !== undefined;
}

/** Requests by their queries: the lists of a product are few, and each is sent again and again. */
const requests = new MemoryCache<string, ListRequest>({ max: 500 });
const longestKey = 2_000;

/**
 * Reads the queries of a list as they were sent.
 * @throws Problem `general_argument_invalid`, `general_query_invalid`
 */
export function parseListRequest(
  collection: ReadableCollection,
  viewer: Viewer,
  texts: string[],
): ListRequest {
  const key = JSON.stringify([collection.source.collectionId, texts]);
  const known = requests.get(key);
  if (known) return known;
  const queries = parseQueries(texts);
  const request = readListRequest(collection, viewer, queries);
  // A cursor comes once; a search looks for what its viewer may see.
  const isShared = request.cursor === null && !queries.some((query) => dependsOnViewer(collection, query));
  if (isShared && key.length <= longestKey) requests.set(key, request);
  return request;
}

/** The order of the rows as they are read: reversed for the page before a cursor. */
export const pageOrders = ({ orders, cursor }: ListRequest): Order[] =>
  orders.map((order) => ({ ...order, descending: order.descending !== (cursor?.before === true) }));

export const orderBy = (request: ListRequest): SQL =>
  commaList(pageOrders(request).map(({ column, descending }) => (descending ? desc(column) : asc(column))));

/**
 * The rows beyond the cursor in the order of the list.
 * @param cursorValue the value that the document of the cursor has of an expression.
 */
export function beyondCursor(
  request: ListRequest,
  cursorValue: (column: Expression) => SQL,
): SQL | undefined {
  if (request.cursor === null) return undefined;
  const orders = pageOrders(request).map((order) => ({ ...order, value: cursorValue(order.column) }));
  const [first] = orders;
  if (orders.every(({ descending }) => descending === first?.descending)) {
    // In one direction: the one in which an index of these columns is read.
    const columns = commaList(orders.map(({ column }) => column));
    const values = commaList(orders.map(({ value }) => value));
    return sql`(${columns}) ${first?.descending ? sql`<` : sql`>`} (${values})`;
  }
  return or(
    ...orders.map(({ column, value, descending }, index) =>
      and(
        ...orders.slice(0, index).map((before) => sql`${before.column} = ${before.value}`),
        descending ? sql`${column} < ${value}` : sql`${column} > ${value}`,
      ),
    ),
  );
}
