import { hash } from 'node:crypto';
import { foldTag } from '@tara/contract/posts/posts';
import type { Filter, Payload } from '../../platform/realtime/connection.ts';
import {
  type Condition,
  type FilterMethod,
  parseQueries,
  type Query,
  readSequence,
  refuseQueries,
} from '../documents/queries.ts';

/** Conditions and values of one subscription together: an event may be compared with each. */
export const mostValues = 100;

type Accepts = (payload: Payload) => boolean;

/** A time as the wire writes it, in milliseconds; of anything else undefined. */
function readTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d.{0,32}(Z|[+-]\d\d:\d\d)$/.test(value)) return;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

/** What is compared: a related document by its id, a time by its moment. */
const comparable = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$id' in value ? value.$id : (readTime(value) ?? value);

/** Elements of a list are compared as lists of documents compare them: texts are folded. */
const foldElement = (value: unknown): unknown => (typeof value === 'string' ? foldTag(value) : value);

/** A field of a payload, ready to be compared. */
interface Field {
  isNull: boolean;
  isList: boolean;
  /** Undefined of a list, which has no order. */
  value: unknown;
  /** Its value, or those of a list. */
  values: ReadonlySet<unknown>;
}

/** The fields of payloads that were compared already: each is made ready once, whatever many filters compare it. */
const readyFields = new WeakMap<Payload, Map<string, Field>>();
const missing: Field = { isNull: true, isList: false, value: undefined, values: new Set() };

function readField(payload: Payload, attribute: string): Field {
  const fields = readyFields.get(payload) ?? new Map<string, Field>();
  readyFields.set(payload, fields);
  const known = fields.get(attribute);
  if (known !== undefined) return known;
  const held = Object.hasOwn(payload, attribute) ? (payload[attribute] ?? null) : null;
  const raw = attribute === '$sequence' ? readSequence(held) : held;
  if (raw === null) return missing;
  const isList = Array.isArray(raw);
  const value = isList ? undefined : comparable(raw);
  const values = new Set(isList ? raw.map((element) => comparable(foldElement(element))) : [value]);
  const field = { isNull: false, isList, value, values };
  fields.set(attribute, field);
  return field;
}

/** Whether numbers, times and texts are in this order; each have one among themselves only. */
const inOrder =
  (isRight: (difference: number) => boolean) =>
  ([value]: readonly unknown[]) => {
    const right = comparable(value);
    return ({ value: left }: Field) => {
      if (typeof left === 'number' && typeof right === 'number') return isRight(left - right);
      if (typeof left !== 'string' || typeof right !== 'string') return false;
      return isRight(left < right ? -1 : left > right ? 1 : 0);
    };
  };

/** Whether a field holds one of the values: as many steps as the smaller of the two has values. */
const equal = (values: readonly unknown[]) => {
  const plain = new Set(values.map(comparable));
  const isFolded = values.every((value) => foldElement(value) === value);
  const folded = isFolded ? plain : new Set(values.map((value) => comparable(foldElement(value))));
  return ({ isList, values: held }: Field) => {
    const wanted = isList ? folded : plain;
    const [fewer, more] = wanted.size < held.size ? [wanted, held] : [held, wanted];
    for (const value of fewer) if (more.has(value)) return true;
    return false;
  };
};

/** Makes the values of a filter ready to be compared, and returns the test of a field. */
const filters: Partial<Record<FilterMethod, (values: readonly unknown[]) => (field: Field) => boolean>> = {
  isNull: () => (field) => field.isNull,
  isNotNull: () => (field) => !field.isNull,
  equal,
  notEqual: (values) => {
    const holds = equal(values);
    return (field) => !field.isNull && !holds(field);
  },
  lessThan: inOrder((difference) => difference < 0),
  lessThanEqual: inOrder((difference) => difference <= 0),
  greaterThan: inOrder((difference) => difference > 0),
  greaterThanEqual: inOrder((difference) => difference >= 0),
};

/** The filters that a subscription may have. */
export const subscriptionMethods: readonly string[] = Object.keys(filters);

const refuseMethod = (method: string): never =>
  refuseQueries(`${method}: a subscription cannot be filtered by it`);

const isCondition = (query: Query): query is Condition =>
  query.method === 'and' || query.method === 'or' || query.method in filters;

function readCondition(condition: Condition): Accepts {
  if (!('attribute' in condition)) {
    const parts = condition.values.map(readCondition);
    return condition.method === 'and'
      ? (payload) => parts.every((accepts) => accepts(payload))
      : (payload) => parts.some((accepts) => accepts(payload));
  }
  const { method, attribute, values } = condition;
  const matches = filters[method]?.(values) ?? refuseMethod(method);
  return (payload) => matches(readField(payload, attribute));
}

const countValues = (condition: Condition): number =>
  'attribute' in condition
    ? Math.max(1, condition.values.length)
    : condition.values.reduce((sum, part) => sum + countValues(part), condition.values.length);

/**
 * Reads the queries of a subscription. A payload must pass all of them; undefined where there is nothing to pass.
 * @throws Problem `general_query_invalid`, `general_argument_invalid`
 */
export function readFilter(queries: readonly string[]): Filter | undefined {
  const conditions = parseQueries([...new Set(queries)]).filter((query) => {
    if (query.method !== 'select') return true;
    if (query.attributes.join() !== '*') refuseQueries('select: a subscription takes "*" only');
    return false;
  });
  if (conditions.length === 0) return undefined;
  const tests = conditions.map((query) => (isCondition(query) ? query : refuseMethod(query.method)));
  const values = tests.reduce((sum, condition) => sum + countValues(condition), 0);
  if (values > mostValues) refuseQueries(`at most ${mostValues} values for one subscription`);
  const accepted = tests.map(readCondition);
  const text = JSON.stringify(tests);
  return {
    key: hash('sha256', text, 'base64'),
    values,
    textLength: text.length,
    accepts: (payload) => accepted.every((accepts) => accepts(payload)),
  };
}
