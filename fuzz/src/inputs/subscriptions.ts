import type { Random } from '@tara/proof/random';
import { mostValues } from '@tara/server/backend/realtime/filter';
import { mostSubscriptions } from '@tara/server/platform/realtime/connection';
import { shareLimits } from '@tara/server/platform/realtime/shares';
import { Fields, Quoted, type Value } from '../values/value.ts';
import {
  otherSubscriptionQuery,
  strangeSubscriptionQuery,
  subscriptionQuery,
  valuesFilter,
} from './queries.ts';

interface Subscriptions {
  what: string;
  /** The `data` of a frame that subscribes. */
  data: Value[];
  sockets: number;
}

const { values: accountValues = 0, members: accountSockets = 1 } = shareLimits.account;
/** Bytes of a frame for texts; it takes 64 KiB. */
const textBytes = 60_000;
/** Channels of what the bystander changes. */
const channels = [
  'documents',
  'documents.update',
  'databases.tara.collections.posts.documents',
  'databases.tara.collections.users.documents',
];

const subscription = (id: Value, names: Value[], queries: Value[]): Value =>
  new Fields([
    ['subscriptionId', id],
    ['channels', names],
    ['queries', queries],
  ]);

/** So many subscriptions to every event, each with a filter of so many values of its own. */
const filtered = (count: number, values: number): Value[] =>
  Array.from({ length: count }, (_, index) =>
    subscription(`s${index}`, ['documents'], [valuesFilter(values, index * values)]),
  );

const longText = (index: number): Value =>
  new Fields([
    ['method', 'notEqual'],
    ['attribute', 'caption'],
    ['values', [`${index}`.padEnd(3_900, 'a ')]],
  ]);

type Make = (random: Random) => Partial<Subscriptions> & Pick<Subscriptions, 'data'>;

const one = (queries: Value[]) => [subscription('s', ['documents'], queries)];
const repeat = (count: number, value: Value) => Array<Value>(count).fill(value);

const usual: Make = (random) => {
  const names = Array.from({ length: random.int(1, 3) }, (_, index) => `s${index}`);
  const queries = names.map(() => Array.from({ length: random.int(1, 2) }, () => subscriptionQuery(random)));
  return {
    what: `queries: ${queries.flatMap((list) => list.map(({ what }) => what)).join(', ')}`,
    data: names.map((name, index) =>
      subscription(
        name,
        [random.pick(channels)],
        (queries[index] ?? []).map(({ query }) => query),
      ),
    ),
  };
};

const strange: Make = (random) => {
  const { what, query } = strangeSubscriptionQuery(random);
  return { what: `query: ${what}`, data: one([query]) };
};

const other: Make = (random) => {
  const { what, query } = otherSubscriptionQuery(random);
  return { what: `query of lists: ${what}`, data: one([query]) };
};

/** Subscriptions by what is special about them: the ordinary ones, and each limit reached and passed. */
const kinds: Readonly<Record<string, Make>> = {
  ...{ 'usual queries': usual, 'other usual queries': usual, 'further usual queries': usual },
  ...{ 'strange queries': strange, 'other strange queries': strange, 'further strange queries': strange },
  ...{ 'queries of lists': other, 'other queries of lists': other, 'further queries of lists': other },
  'all values of an account': () => ({ data: filtered(accountValues / mostValues, mostValues) }),
  'all values of an account in many subscriptions': () => ({
    data: filtered(mostSubscriptions, accountValues / mostSubscriptions),
  }),
  'all values of an account on many sockets': () => ({
    data: filtered(1, Math.floor(accountValues / accountSockets)),
    // Other inputs of the account have theirs.
    sockets: accountSockets - 8,
  }),
  'more values than an account has': () => ({ data: filtered(accountValues / mostValues + 1, mostValues) }),
  'more sockets than an account has': (random) => ({
    data: one([subscriptionQuery(random).query]),
    sockets: accountSockets + 1,
  }),
  'more subscriptions than a socket has': () => ({ data: filtered(mostSubscriptions + 1, 1) }),
  'the same filter in all subscriptions': () => ({
    data: Array.from({ length: mostSubscriptions }, (_, index) =>
      subscription(`s${index}`, ['documents'], [valuesFilter(accountValues / mostSubscriptions, 0)]),
    ),
  }),
  'the same id': () => ({
    data: repeat(mostSubscriptions, subscription('s', ['documents'], [valuesFilter(3, 0)])),
  }),
  'the same query': (random) => ({ data: one(repeat(20, subscriptionQuery(random).query)) }),
  'the same channel': () => ({
    data: [subscription('s', repeat(100, 'documents'), [valuesFilter(100, 0)])],
  }),
  'a query too many': (random) => ({ data: one(repeat(21, subscriptionQuery(random).query)) }),
  'long texts': () => ({
    data: one(
      Array.from({ length: Math.floor(textBytes / 4_000) }, (_, index) => new Quoted(longText(index))),
    ),
  }),
  'queries that are no texts': (random) => ({
    data: one([random.pick<Value>([1, null, [], new Fields([])])]),
  }),
};

/** Subscriptions with queries: valid, at the limits of the protocol and of an account, and beyond them. */
export function makeSubscriptions(random: Random): Subscriptions {
  const [what, make] = random.deal('subscriptions', () => Object.entries(kinds));
  return { what, sockets: 1, ...make(random) };
}
