import type { Payload } from '../platform/realtime/connection.ts';
import {
  type Condition,
  type FilterMethod,
  parseQueries,
  type Query,
  refuseQueries,
} from './documents/queries.ts';

/** Conditions and values of one subscription together: each is looked at for each event. */
const mostValues = 100;

type Accepts = (payload: Payload) => boolean;
type Value = string | number | boolean;

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(value);

/** What is compared: a related document by its id, a time by its moment. */
function comparable(value: unknown): unknown {
  if (isTime(value)) return Date.parse(value);
  return typeof value === 'object' && value !== null && '$id' in value ? value.$id : value;
}

/** Whether a field holds the value: of a list, any of its values. */
const holds = (field: unknown, value: Value): boolean =>
  [field].flat().some((one) => comparable(one) === comparable(value));

/** Numbers, times and texts each have an order among themselves; null has none. */
function inOrder(
  field: unknown,
  value: Value | undefined,
  compare: (difference: number) => boolean,
): boolean {
  const [left, right] = [comparable(field), comparable(value)];
  if (typeof left === 'number' && typeof right === 'number') return compare(left - right);
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return compare(left < right ? -1 : left > right ? 1 : 0);
}

/** The filters of subscriptions: whether a field, null where the payload has none, matches the values. */
const filters: Partial<Record<FilterMethod, (field: unknown, values: readonly Value[]) => boolean>> = {
  isNull: (field) => field === null,
  isNotNull: (field) => field !== null,
  equal: (field, values) => values.some((value) => holds(field, value)),
  notEqual: (field, values) => field !== null && !values.some((value) => holds(field, value)),
  lessThan: (field, [value]) => inOrder(field, value, (difference) => difference < 0),
  lessThanEqual: (field, [value]) => inOrder(field, value, (difference) => difference <= 0),
  greaterThan: (field, [value]) => inOrder(field, value, (difference) => difference > 0),
  greaterThanEqual: (field, [value]) => inOrder(field, value, (difference) => difference >= 0),
};

const isCondition = (query: Query): query is Condition =>
  query.method === 'and' || query.method === 'or' || query.method in filters;

function readCondition(query: Query, count: (values: number) => void): Accepts {
  if (!isCondition(query)) return refuseQueries(`${query.method}: a subscription cannot be filtered by it`);
  count(Math.max(1, query.values.length));
  if (!('attribute' in query)) {
    const parts = query.values.map((value) => readCondition(value, count));
    return query.method === 'and'
      ? (payload) => parts.every((accepts) => accepts(payload))
      : (payload) => parts.some((accepts) => accepts(payload));
  }
  const { attribute, values } = query;
  const matches =
    filters[query.method] ?? refuseQueries(`${query.method}: a subscription cannot be filtered by it`);
  return (payload) =>
    matches((Object.hasOwn(payload, attribute) ? payload[attribute] : null) ?? null, values);
}

/**
 * Reads the queries of a subscription. A payload must pass all of them; undefined where there is nothing to pass.
 * @throws Problem `general_query_invalid`, `general_argument_invalid`
 */
export function readFilter(queries: readonly string[]): Accepts | undefined {
  let total = 0;
  const count = (values: number) => {
    total += values;
    if (total > mostValues) refuseQueries(`at most ${mostValues} values for one subscription`);
  };
  const conditions = parseQueries([...new Set(queries)]).flatMap((query) => {
    if (query.method !== 'select') return [readCondition(query, count)];
    if (query.attributes.join() !== '*') refuseQueries('select: a subscription takes "*" only');
    return [];
  });
  if (conditions.length === 0) return undefined;
  return (payload) => conditions.every((accepts) => accepts(payload));
}
