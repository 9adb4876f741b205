import type { Message } from '@tara/contract/messages/messages';
import { Random } from '@tara/proof/random';
import { expect, it } from 'vitest';
import { Client } from '../client.ts';
import type { OpenChat } from './chats.ts';
import { ChaosMember } from './member.ts';
import { check } from './schedule.ts';

const base = 4;
const stored = (sequence: number, clientKey: string): Message => ({
  ...{ id: clientKey, chatId: 'chat', sequence, userId: 'ana', name: 'Ana', body: clientKey, picture: null },
  ...{ replyTo: null, admin: false, unsent: false, clientKey, createdAt: '2030-01-01T00:00:00.000Z' },
});
const twoMessages = [stored(5, 'one'), stored(6, 'two')];

/** A client to whom a chat with these messages is shown. */
class ReadingClient extends Client {
  readonly #messages: readonly Message[];
  constructor(messages: readonly Message[]) {
    super('http://localhost');
    this.#messages = messages;
  }
  override async call(): Promise<never> {
    // The only call of a check.
    return { items: this.#messages, hasMore: false } as never;
  }
}

/** Checks a chat that stores `messages`, in which Ana typed two, both acknowledged, and received `received`. */
async function checkStored(messages: readonly Message[], received = messages): Promise<void> {
  const person = (name: string) => ({
    client: new ReadingClient(messages),
    name,
    email: `${name}@example.com`,
  });
  const people: OpenChat['people'] = [person('Ana'), person('Ben')];
  const chat: OpenChat = {
    ...{ id: 'chat', kind: 'conversation', people, profileIds: ['ana', 'ben'] },
    send: () => Promise.reject(new Error('A check sends nothing.')),
    read: async (who) => {
      const unread = who === people[1] ? messages.length : 0;
      return { unread, read: base, otherRead: base, lastSequence: base + messages.length };
    },
  };
  const [ana, ben] = people.map(
    (who) => new ChaosMember('http://localhost', chat, who, { loss: 0, random: new Random(1) }, base),
  );
  if (!ana || !ben) throw new Error('There are two.');
  for (const { clientKey, id, sequence } of twoMessages) {
    ana.typed.push(clientKey);
    ana.acknowledged.push({ clientKey, id, sequence, at: 0 });
  }
  for (const member of [ana, ben])
    for (const message of received) member.received.set(message.sequence, message);
  await check(chat, [ana, ben], base);
}

it('passes a chat that has what was acknowledged', async () => {
  await expect(checkStored(twoMessages)).resolves.toBeUndefined();
});

it.each([
  ['a lost message', [stored(5, 'one')], 'an acknowledged message is lost'],
  ['a doubled message', [...twoMessages, stored(7, 'two')], 'a message is stored twice'],
  ['another order', [stored(5, 'two'), stored(6, 'one')], 'messages are not in the order'],
  ['a gap', [stored(5, 'one'), stored(7, 'two')], 'the sequences have a gap'],
])('finds %s', async (_fault, messages, error) => {
  await expect(checkStored(messages)).rejects.toThrow(error);
});

it('finds a member to whom a message was never brought', async () => {
  await expect(checkStored(twoMessages, twoMessages.slice(1))).rejects.toThrow('the two have another order');
});
