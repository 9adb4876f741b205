import * as z from 'zod';
import { parseJson } from '../platform/http/json.ts';
import type { Payload } from '../platform/realtime/connection.ts';

/** Conditions and values of one subscription together: each is looked at for each event. */
const mostValues = 100;

type Accepts = (payload: Payload) => boolean;

/** Why a subscription's queries are refused, in words for the client's developer. */
export class QueryRefused extends Error {}

const Query = z.object({
  method: z.string().max(64),
  attribute: z.string().min(1).max(128).optional(),
  values: z.array(z.unknown()).optional(),
});

type Primitive = string | number | boolean | null;
const isPrimitive = (value: unknown): value is Primitive =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(value);

/** What is compared: a related document by its id, a time by its moment. */
function comparable(value: unknown): unknown {
  if (isTime(value)) return Date.parse(value);
  return typeof value === 'object' && value !== null && '$id' in value ? value.$id : value;
}

/** Whether a field holds the value: of a list, any of its values. */
function holds(field: unknown, value: Primitive): boolean {
  return (Array.isArray(field) ? field : [field]).some((one) => comparable(one) === comparable(value));
}

type Comparison = (field: number, value: number) => boolean;

/** Numbers, times and texts stand in an order, each among themselves; null stands in none. */
function inOrder(field: unknown, value: Primitive, compare: Comparison): boolean {
  const [left, right] = [comparable(field), comparable(value)];
  if (typeof left === 'number' && typeof right === 'number') return compare(left, right);
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return compare(left < right ? -1 : left > right ? 1 : 0, 0);
}

const orders: Record<string, Comparison> = {
  lessThan: (field, value) => field < value,
  lessThanEqual: (field, value) => field <= value,
  greaterThan: (field, value) => field > value,
  greaterThanEqual: (field, value) => field >= value,
};

/** One query as a condition. `count` is called with what it costs. */
function readQuery(input: unknown, count: (values: number) => void): Accepts {
  const { data: query } = Query.safeParse(input);
  if (query === undefined) throw new QueryRefused('A query must be an object with method and values.');
  const { method, attribute, values = [] } = query;
  count(Math.max(1, values.length));
  if (method === 'select') {
    if (values.length === 1 && values[0] === '*') return () => true;
    throw new QueryRefused('select of a subscription takes ["*"] only.');
  }
  if (method === 'and' || method === 'or') {
    if (values.length < 2) throw new QueryRefused(`${method} takes two queries or more.`);
    const parts = values.map((value) => readQuery(value, count));
    return method === 'and'
      ? (payload) => parts.every((accepts) => accepts(payload))
      : (payload) => parts.some((accepts) => accepts(payload));
  }
  const compare = orders[method];
  const isNullTest = method === 'isNull' || method === 'isNotNull';
  if (compare === undefined && !isNullTest && method !== 'equal' && method !== 'notEqual')
    throw new QueryRefused(`A subscription cannot be filtered by ${method}.`);
  if (attribute === undefined) throw new QueryRefused(`${method} needs an attribute.`);
  const field = (payload: Payload) => (Object.hasOwn(payload, attribute) ? payload[attribute] : null);
  if (isNullTest) {
    if (values.length > 0) throw new QueryRefused(`${method} takes no values.`);
    const isNull: Accepts = (payload) => (field(payload) ?? null) === null;
    return method === 'isNull' ? isNull : (payload) => !isNull(payload);
  }
  if (!values.every(isPrimitive))
    throw new QueryRefused(`Values of ${method} must be texts, numbers or booleans.`);
  const [value] = values;
  if (value === undefined) throw new QueryRefused(`${method} needs a value.`);
  if (method === 'equal') return (payload) => values.some((one) => holds(field(payload), one));
  if (values.length > 1) throw new QueryRefused(`${method} takes one value.`);
  if (compare !== undefined) return (payload) => inOrder(field(payload), value, compare);
  return (payload) => (field(payload) ?? null) !== null && !holds(field(payload), value);
}

/**
 * Reads the queries of a subscription, each JSON as the SDKs write it. A payload must pass all of them; undefined where
 * there is nothing to pass. @throws QueryRefused
 */
export function readFilter(queries: readonly string[]): Accepts | undefined {
  let total = 0;
  const count = (values: number) => {
    total += values;
    if (total > mostValues) throw new QueryRefused(`A subscription takes ${mostValues} values at most.`);
  };
  const conditions = [...new Set(queries)].map((text) => {
    let json: unknown;
    try {
      json = parseJson(text);
    } catch {
      throw new QueryRefused('A query of a subscription must be JSON.');
    }
    return readQuery(json, count);
  });
  if (queries.length === 0 || queries.every((text) => text === '{"method":"select","values":["*"]}'))
    return undefined;
  return (payload) => conditions.every((accepts) => accepts(payload));
}
