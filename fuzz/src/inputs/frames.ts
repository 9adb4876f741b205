import type { Random } from '@tara/proof/random';
import { Incoming } from '@tara/server/backend/realtime/protocol';
import { hostileEntries, hostileValues, nearValues } from '../values/hostile.ts';
import { fieldsOf, readChoices, readShape, readShapes, type Shape } from '../values/schema.ts';
import { Fields, longText, Quoted, type Value, verbatim, writeJson } from '../values/value.ts';
import type { ActorName, FrameInput, Hint } from './input.ts';
import { strangeSubscriptionQuery, subscriptionQuery } from './queries.ts';
import { makeSubscriptions } from './subscriptions.ts';
import { validValue } from './valid.ts';

interface Making {
  random: Random;
  hint: Hint;
}

const typeOf = (shape: Shape) => String(readShape(shape.properties?.type).const);

/** The frames of the realtime protocol by their type. */
const frameShapes = new Map(readChoices(readShapes(Incoming).input).map((shape) => [typeOf(shape), shape]));

export const frameCalls = [...[...frameShapes.keys()].map((type) => `realtime ${type}`), 'realtime address'];

export const subscribeCall = 'realtime subscribe';
const subscribeFrame = (data: Value[]) =>
  new Fields([
    ['type', 'subscribe'],
    ['data', data],
  ]);

/** Whether events may reach the sockets of an input, which its filters then are compared with. */
export const listensToEvents = ({ call }: FrameInput) =>
  call === subscribeCall || call === 'realtime address';

/** The frame with every list as long as its schema allows, of the same short entries: the most work for its bytes. */
function fullFrame(shape: Shape, index = 0): Value {
  const choices = readChoices(shape);
  if (choices[0]) return fullFrame(choices[0], index);
  if (typeof shape.const === 'string') return shape.const;
  if (shape.type === 'object')
    return new Fields(
      fieldsOf(shape)
        .filter(([name]) => shape.required?.includes(name))
        .map(([name, inner]) => [name, fullFrame(inner, index)] as const),
    );
  if (shape.type === 'array') {
    const items = readShape(shape.items);
    return Array.from({ length: shape.maxItems ?? 100 }, (_, itemIndex) => fullFrame(items, itemIndex));
  }
  return `${index}`;
}

/** Replaces one value somewhere inside. */
function changeInside(
  value: Value,
  shape: Shape,
  random: Random,
  near: boolean,
): { what: string; value: Value } {
  if (value instanceof Fields && value.entries.length > 0 && random.chance(0.8)) {
    const [key, inner] = random.pick(value.entries);
    const changed = changeInside(inner, readShape(shape.properties?.[key]), random, near);
    return { what: `${key}.${changed.what}`, value: value.with(key, changed.value) };
  }
  if (Array.isArray(value) && value.length > 0 && random.chance(0.6)) {
    const index = random.int(0, value.length - 1);
    const changed = changeInside(value[index] ?? null, readShape(shape.items), random, near);
    return { what: `${index}.${changed.what}`, value: value.with(index, changed.value) };
  }
  const { what, value: other } = near ? random.pick(nearValues(shape, value)) : random.pick(hostileValues);
  return { what, value: other ?? null };
}

const channels = [
  'documents',
  'files',
  '*',
  'account',
  'databases.tara.collections.users.documents',
  '__proto__',
  '%00',
  '%ff',
  '',
];

/** The address of the older SDKs, with a query for each slot. */
function addressWithQuery(random: Random): { what: string; address: string } {
  const { what, query } = random.chance(0.5) ? subscriptionQuery(random) : strangeSubscriptionQuery(random);
  const text = query instanceof Quoted ? writeJson(query.inner) : String(query);
  const slots = random.pick([1, 2, 100]);
  const parameters = Array.from(
    { length: slots },
    (_, slot) => `documents[${slot}][]=${encodeURIComponent(text.toWellFormed())}`,
  );
  const most = Math.max(1, Math.floor(15_000 / (parameters[0]?.length ?? 1)));
  return {
    what: `query ${what} ×${slots}`,
    address: `?${parameters.slice(0, most).join('&')}`.slice(0, 15_000),
  };
}

function strangeAddress(random: Random): { what: string; address: string } {
  const channel = random.pick(channels);
  const one = (name: string, value: string) => `${name}=${value}`;
  if (random.chance(0.4)) return addressWithQuery(random);
  const count = random.pick([1, 2, 100, 101, 3_000]);
  const name = random.pick([
    'channels[]',
    'channels[0]',
    'channels',
    `${encodeURIComponent(channel)}[0][]`,
    'a[999][]',
    '__proto__[0][]',
    'project',
    '',
  ]);
  const parameters = Array.from({ length: count }, (_, index) =>
    one(name.replace('[999]', `[${index % 999}]`), random.chance(0.5) ? channel : 'documents'),
  );
  return { what: `${name}=${channel} ×${count}`, address: `?${parameters.join('&')}`.slice(0, 15_000) };
}

/** One frame, or one address of a socket. */
export function makeFrameInput(call: string, actor: ActorName, { random, hint }: Making): FrameInput {
  const base = {
    kind: 'frame',
    call,
    actor,
    binary: false,
    times: 1,
    sockets: 1,
    address: '',
    frame: null,
  } as const;
  const shape = frameShapes.get(call.replace('realtime ', ''));
  if (shape === undefined) return { ...base, ...strangeAddress(random) };
  if (call === subscribeCall && random.chance(0.6)) {
    const { what, data, sockets } = makeSubscriptions(random);
    return { ...base, what, sockets, frame: subscribeFrame(data) };
  }
  const valid =
    call === subscribeCall
      ? subscribeFrame(makeSubscriptions(random).data)
      : validValue(shape, { call, field: 'frame', actor, hint, random });
  const kind = random.next();
  if (kind < 0.2) return { ...base, what: 'valid', frame: valid };
  if (kind < 0.3) return { ...base, what: 'as full as the schema allows', frame: fullFrame(shape), times: 2 };
  if (kind < 0.9) {
    const { what, value } = changeInside(valid, shape, random, kind < 0.55);
    return { ...base, what, frame: value };
  }
  if (kind < 0.94 && valid instanceof Fields) {
    const { what, entries } = hostileEntries(random);
    return { ...base, what, frame: new Fields([...valid.entries, ...entries]) };
  }
  if (kind < 0.96) return { ...base, what: 'binary', frame: valid, binary: true };
  return {
    ...base,
    what: 'no JSON',
    frame: random.pick<Value>([verbatim(''), verbatim('{'), verbatim('\u0000'), longText(65_600)]),
  };
}
