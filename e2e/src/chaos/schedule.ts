import { unsentBody } from '@tara/contract/notices';
import { Random } from '@tara/proof/random';
import fc from 'fast-check';
import { type OpenChat, readAfter } from './chats.ts';
import { ChaosMember, type Network } from './member.ts';

/** One step of a schedule, by one of the two members. */
export interface Step {
  by: 0 | 1;
  act: 'send' | 'unsend' | 'read' | 'disconnect' | 'connect' | 'wait';
  /** From 0 to 1: which message, or how long. */
  choice: number;
}

const acts = fc.oneof(
  { weight: 10, arbitrary: fc.constant('send' as const) },
  { weight: 2, arbitrary: fc.constant('unsend' as const) },
  { weight: 3, arbitrary: fc.constant('read' as const) },
  { weight: 2, arbitrary: fc.constantFrom('disconnect' as const, 'connect' as const) },
  { weight: 3, arbitrary: fc.constant('wait' as const) },
);

/** A schedule of two members, with the share of lost requests and a seed for which ones. */
export const arbitrarySchedule = fc.record({
  steps: fc.array(
    fc.record({
      by: fc.constantFrom(0 as const, 1 as const),
      act: acts,
      choice: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
    { minLength: 5, maxLength: 40 },
  ),
  loss: fc.constantFrom(0, 0.1, 0.3),
  seed: fc.nat(),
});
export type Schedule = typeof arbitrarySchedule extends fc.Arbitrary<infer Value> ? Value : never;

/** Longest pause between two steps, ms. */
const longestWaitMs = 15;

function runStep(member: ChaosMember, { act, choice }: Step, number: number): Promise<void> | undefined {
  if (act === 'send') member.send(`message ${number}`);
  else if (act === 'unsend') member.unsend(choice);
  else if (act === 'read') member.read();
  else if (act === 'disconnect') member.disconnect();
  else if (act === 'connect') member.connect();
  else return new Promise((done) => setTimeout(done, choice * longestWaitMs));
  return undefined;
}

/**
 * Runs random schedules on chats in turn, and returns how many messages were acknowledged.
 * @throws when one lost, doubled or reordered something, with the smallest such schedule
 */
export async function runSchedules(
  url: string,
  chats: readonly OpenChat[],
  { schedules, seed }: { schedules: number; seed: number },
): Promise<number> {
  let number = 0;
  let acknowledged = 0;
  await fc.assert(
    fc.asyncProperty(arbitrarySchedule, async (schedule) => {
      const chat = chats[number++ % chats.length];
      if (chat) acknowledged += await runSchedule(url, chat, schedule);
    }),
    { seed, numRuns: schedules, endOnFailure: true },
  );
  return acknowledged;
}

/** Runs one schedule on a chat. @throws when something was lost, doubled or out of order; it names what. */
export async function runSchedule(
  url: string,
  chat: OpenChat,
  { steps, loss, seed }: Schedule,
): Promise<number> {
  const network: Network = { loss, random: new Random(seed) };
  const base = (await chat.read(chat.people[0])).lastSequence;
  const members = chat.people.map((person) => new ChaosMember(url, chat, person, network, base));
  try {
    for (const member of members) member.connect();
    for (const [number, step] of steps.entries()) {
      const member = members[step.by];
      if (member) await runStep(member, step, number);
    }
    network.loss = 0;
    // Twice: the second also gets what the other stored after the first looked.
    for (const round of [1, 2]) for (const member of members) if (round) await member.settle();
    await check(chat, members, base);
    return members.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  } finally {
    for (const member of members) member.close();
  }
}

function require(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const isRising = (numbers: readonly number[]) =>
  numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0));

/** Compares what is stored with what the members sent, what was acknowledged to them, and what they received. */
export async function check(chat: OpenChat, members: readonly ChaosMember[], base: number): Promise<void> {
  const [first] = members;
  if (!first) return;
  const stored = await readAfter(first.person, chat.id, base);
  require(stored.every(
    ({ sequence }, index) => sequence === base + index + 1,
  ), 'the sequences have a gap or a double');
  const keys = stored.map(({ clientKey }) => clientKey);
  require(new Set(keys).size === keys.length, 'a message is stored twice');
  const byKey = new Map(stored.map((message) => [message.clientKey, message]));
  for (const member of members) {
    const own = member.typed.map((key) => byKey.get(key)?.sequence ?? -1);
    require(!own.includes(-1), 'an acknowledged message is lost');
    require(isRising(own), 'messages are not in the order in which they were typed');
    for (const { clientKey, sequence } of member.acknowledged)
      require(byKey.get(clientKey)?.sequence === sequence, 'a message moved after it was acknowledged');
    for (const sequence of member.unsent) {
      const message = stored[sequence - base - 1];
      require(message?.unsent === true && message.body === unsentBody, 'an unsent message is readable');
    }
    const received = stored.map(({ sequence }) => member.received.get(sequence)?.clientKey);
    require(received.every((key, index) => key === keys[index]), 'the two have another order');
    require(isRising(member.marks.own) && isRising(member.marks.other), 'a read mark fell');
    const { unread, read } = await chat.read(member.person);
    const ownId = chat.profileIds[chat.people.indexOf(member.person)];
    const counted = (await readAfter(member.person, chat.id, read)).filter(({ userId }) => userId !== ownId);
    require(unread === counted.length, `${unread} unread, but ${counted.length} after the mark`);
  }
}
